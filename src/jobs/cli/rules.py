"""`jobs rules`: every rule of the linter in one line."""

from __future__ import annotations

import typer

from jobs.errors import Exit

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl rules            code, severity and title of every rule
  jobsctl rules L B        of two groups
  jobsctl rules --json     the whole records
"""


@app.command(epilog=EPILOG, help="List the rules of the linter.")
def rules(
    groups: list[str] | None = typer.Argument(None, help="Only codes that begin so: L, B01 …"),
    as_json: bool = typer.Option(False, "--json", help="Report as JSON."),
) -> int:
    """The exit status."""
    from jobs.lint.rules import codes, rule

    wanted = tuple(groups or ())
    listed = [rule(code) for code in codes() if not wanted or code.startswith(wanted)]
    if as_json:
        import json

        rows = [
            {
                "code": each.code,
                "name": each.name,
                "title": each.title,
                "subject": each.subject,
                "severity": each.severity.word,
                "why": each.why,
                "bad": each.bad,
                "good": list(each.good),
                "exceptions": each.exceptions,
                "sources": list(each.sources),
            }
            for each in listed
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        for each in listed:
            print(f"{each.code}  {each.severity.word:7}  {each.title}")
    return Exit.OK
