"""P131: KeepAlive conditions that say the reverse of what is meant."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job


def _keep(*pairs: tuple[str, str]) -> str:
    return (
        f"<key>KeepAlive</key><dict>{''.join(f'<key>{name}</key><{value}/>' for name, value in pairs)}</dict>"
    )


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """Conditions of a job without schedule that together mean always, or the reverse; the rest is P130's."""
    value = job.get("KeepAlive")
    if value is None or value.kind != "dictionary" or job.scheduled:
        return
    crashed, good = value.entry("Crashed"), value.entry("SuccessfulExit")
    if crashed is not None and crashed.value.truth is False:
        yield Finding(
            crashed.key_place,
            "Crashed=false means restart when it did not crash, after good runs too",
            Fix("write <true/>, or remove Crashed"),
        )
    elif good is not None and good.value.truth is True and crashed is not None:
        yield Finding(
            good.key_place,
            "SuccessfulExit=true or Crashed=true: restart in nearly every case, as conditions are ORed",
            Fix("write <key>KeepAlive</key><true/>, or keep one of them"),
        )
    if not value.entries:
        yield Finding(
            value.place,
            "KeepAlive is an empty dictionary: the job is not kept alive",
            Fix("write <true/>, or remove KeepAlive"),
        )


RULE = Rule(
    code="P131",
    name="restart-unless-crashed",
    title="KeepAlive conditions that say something else",
    subject="plist",
    severity=Severity.WARNING,
    why="The conditions of KeepAlive are joined by or, and each has two values: Crashed=false restarts a job because it did not crash.",
    bad=job(_keep(("Crashed", "false"), ("SuccessfulExit", "false")), trigger=""),
    good=(
        job(_keep(("Crashed", "true")), trigger=""),
        job(_keep(("SuccessfulExit", "false")), trigger=""),
        job(_keep(("SuccessfulExit", "false"), ("Crashed", "true")), trigger=""),
    ),
    check=on_job(_check),
    sources=("launchd.plist(5), KeepAlive",),
    example_path=AGENT_PATH,
)
