"""P130: KeepAlive in a job that time starts."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, flag, job
from jobs.read.plist_value import PlistValue

_MEANS = {
    ("Crashed", False): "Crashed=false means restart when it did not crash",
    ("SuccessfulExit", True): "SuccessfulExit=true means restart after each good run",
    ("Crashed", True): "Crashed=true restarts it after a crash, whatever the time",
    (
        "SuccessfulExit",
        False,
    ): "SuccessfulExit=false restarts it after a failure, every 10 seconds, whatever the time",
}


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """KeepAlive, or its old form OnDemand=false, beside a schedule."""
    if not job.scheduled:
        return
    value = job.get("KeepAlive")
    place = job.key_place("KeepAlive")
    remove = Fix("remove KeepAlive")
    if job.is_true("KeepAlive"):
        yield Finding(
            place,
            "KeepAlive with a schedule: a job on a schedule must not be kept alive; it is started again 10 seconds after each start",
            remove,
        )
    elif value is not None and value.kind == "dictionary":
        words, severity = _worst(value)
        if words:
            yield Finding(place, f"KeepAlive with a schedule: {words}", remove, severity)
    demand = job.get("OnDemand")
    if demand is not None and demand.truth is False and value is None:
        yield Finding(
            job.key_place("OnDemand"),
            "OnDemand=false with a schedule: a job on a schedule must not be kept alive",
            Fix("remove OnDemand"),
        )


def _worst(conditions: PlistValue) -> tuple[str, Severity | None]:
    """The worst condition in words; conditions are joined by or."""
    pairs = [(entry.key, entry.value.truth) for entry in conditions.entries]
    for (name, truth), words in _MEANS.items():
        if (name, truth) in pairs:
            restarts_good_runs = (name, truth) in {("Crashed", False), ("SuccessfulExit", True)}
            return words, None if restarts_good_runs else Severity.WARNING
    known = [name for name, _ in pairs if name in {"PathState", "OtherJobEnabled", "OtherJobActive"}]
    return (f"{known[0]} restarts it whatever the time", Severity.WARNING) if known else ("", None)


RULE = Rule(
    code="P130",
    name="kept-alive-on-schedule",
    title="A job on a schedule is kept alive",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "KeepAlive starts a job again as soon as it ends, ten seconds from start to start, and at load. With a schedule the "
        "script runs for ever, not at its times."
    ),
    bad=job(flag("KeepAlive")),
    good=(
        job(flag("KeepAlive"), trigger=""),
        job(flag("KeepAlive", value=False)),
        job("<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>", trigger=""),
    ),
    check=on_job(_check),
    exceptions="Conditions that restart only after a failure or crash are a warning.",
    sources=("launchd.plist(5), KeepAlive: conditions are ORed, RunAtLoad is implied",),
    example_path=AGENT_PATH,
)
