"""The pages of the rules, made from their records."""

from __future__ import annotations

from jobs.lint.rule import Rule
from jobs.lint.rules import codes, rule

LANGUAGE = {"script": "sh", "plist": "xml", "manifest": "toml", "job": "toml"}
GROUPS = {
    "L": "Locks",
    "G": "Guards and quota",
    "S": "Schedules",
    "P": "Property lists",
    "E": "Environment",
    "B": "bash 3.2 and BSD tools",
    "M": "Generated files",
    "U": "The linter's own",
}


def visible(text: str) -> str:
    """An example as it can stand in a page: a CR is shown, not written."""
    return text.rstrip("\n").replace("\r", "\N{SYMBOL FOR CARRIAGE RETURN}")


def page(of: Rule) -> str:
    """A rule's page, as Markdown."""
    language = LANGUAGE[of.subject]
    lines = [
        f"# {of.code}: {of.title}",
        "",
        f"`{of.name}`, {of.severity.word}, on a {of.subject}.",
        "",
        of.why,
        "",
    ]
    lines += ["## Bad", "", f"```{language}", visible(of.bad), "```", ""]
    if of.good:
        lines += ["## Good", ""]
    for good in of.good:
        lines += [f"```{language}", visible(good), "```", ""]
    if of.exceptions:
        lines += ["## Exceptions", "", of.exceptions, ""]
    if of.sources:
        lines += ["## Sources", "", *(f"- {source}" for source in of.sources), ""]
    lines += [
        "To accept it in one place, with the reason:",
        "",
        "```",
        f"# jobs: ignore[{of.code}] why it is right here",
        "```",
    ]
    return "\n".join(lines) + "\n"


def index() -> str:
    """The list of all rules by group, as Markdown."""
    lines = ["# Rules of `jobs lint`", ""]
    for letter, title in GROUPS.items():
        members = [rule(code) for code in codes() if code.startswith(letter)]
        if members:
            lines += [f"## {letter}: {title}", "", "| code | severity | what |", "|---|---|---|"]
            lines += [f"| [{of.code}]({of.code}.md) | {of.severity.word} | {of.title} |" for of in members]
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def pages() -> dict[str, str]:
    """Every file of docs/rules, by its name."""
    return {"README.md": index()} | {f"{code}.md": page(rule(code)) for code in codes()}
