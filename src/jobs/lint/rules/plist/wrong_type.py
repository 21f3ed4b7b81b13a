"""P102: a value of the wrong type."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_keys import ARTICLES, Mismatch, mismatches, seen
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key, number
from jobs.read.plist_value import PlistValue

_TRUE, _FALSE = {"true", "yes", "1", "on"}, {"false", "no", "0", "off"}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Every value that is not of its key's type, the outermost only."""
    told: set[int] = set()
    for one in seen(job.root):
        for wrong in mismatches(job.file, one):
            if id(wrong.value) not in told:
                told.add(id(wrong.value))
                yield Finding(wrong.value.place, _message(wrong), _fix(wrong))


def _message(wrong: Mismatch) -> str:
    top = wrong.shown.partition("[")[0].partition(".")[0]
    if wrong.shown == "Program":
        return f"Program is one string, not {_shown(wrong.value)}"
    base = f"{wrong.shown} must be {wrong.wanted}, not {_shown(wrong.value)}"
    if top == "ProgramArguments":
        return f"{base}; launchd refuses the job"
    if top == "EnvironmentVariables" and wrong.shown != top:
        return f"{base}; launchd drops it"
    return base if top == "Label" else f"{base}; launchd ignores it"


def _shown(value: PlistValue) -> str:
    """A value in words."""
    if value.kind == "string":
        return f'the string "{(value.text or "")[:40]}"'
    if value.kind == "integer":
        return f"the integer {value.number}"
    if value.kind == "boolean":
        return f"the boolean {str(value.truth).lower()}"
    return ARTICLES.get(value.kind, f"a {value.kind}")


def _fix(wrong: Mismatch) -> Fix | None:
    value, wanted = wrong.value, wrong.wanted
    text = (value.text or "").strip()
    if wrong.shown == "Program":
        return Fix("write <string>/full/path</string>, and the arguments into ProgramArguments")
    if wanted.startswith("an integer") and text.lstrip("-").isdigit():
        return Fix(f"write <integer>{text}</integer>")
    if wanted.startswith("a boolean"):
        plain = text.lower() if value.kind == "string" else str(value.number)
        if plain in _TRUE | _FALSE:
            return Fix(f"write <{'true' if plain in _TRUE else 'false'}/>")
    if wanted.startswith("a string") and value.kind in {"integer", "real", "boolean"}:
        return Fix(
            f"write <string>{str(value.value).lower() if value.kind == 'boolean' else value.value}</string>"
        )
    if wanted.startswith("an array") and value.kind == "string":
        return Fix(f"write <array><string>{text[:60]}</string></array>")
    return Fix(f"write {wanted}")


RULE = Rule(
    code="P102",
    name="wrong-type",
    title="A value of the wrong type",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "launchd looks for a key under its type. A number in a string, a boolean in an integer or an array in Program count as "
        "if the key were not there; one argument that is no string makes the whole job invalid. plutil -lint sees none of it."
    ),
    bad=job(key("Nice", "10")),
    good=(job(number("Nice", 10)), job(key("Umask", "022")), job(key("LimitLoadToSessionType", "Aqua"))),
    check=on_job(_check),
    sources=("launchd.plist(5)", "launchd-842 core.c, jobmgr_import2 and job_import_*"),
    example_path=AGENT_PATH,
)
