"""What happened at a job's last slot, and why: one paragraph. Pure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import tzinfo

from jobs.runtime.records import Record, Run, SlotState, runs, slot_states
from jobs.schedule.slots import Slot, newest_due, next_slot
from jobs.status.ending import describe_exit
from jobs.status.rows import SETTLE_S, JobFacts
from jobs.status.table import age

SKIPS = {
    "guard": "was skipped because the guard was open",
    "canary": "was skipped because another job was trying out whether the guard can close again",
    "lock": "was skipped because the lock was held",
    "once": "was skipped because the job had run in that period already",
    "expired": "was dropped because it was later than its deadline",
    "not-fired": "passed without being started: the Mac was off or asleep, or the job was not loaded",
    "cut-off": "was claimed, and its wrapper killed before it started the job",
    "superseded": "was skipped first, and then a newer slot took its place",
}


def why(
    facts: JobFacts, records: Sequence[Record], log_tail: Sequence[str], now: int, zone: str | tzinfo
) -> str:
    """The paragraph. `records` come newest first; `log_tail` holds the last lines of the job's log."""
    parts = [_standing(facts)]
    job = facts.job
    if job.schedule is not None:
        slot = newest_due(job.schedule, now, zone)
        parts.append(_slot_story(facts, slot, records, log_tail, now))
        upcoming = next_slot(job.schedule, now, zone)
        if upcoming is not None and job.enabled:
            parts.append(f"The next slot is {spoken(upcoming.id)}.")
    else:
        parts.append(_run_story(next(runs(records), None), log_tail, now))
    parts += [f"Also: {text}." for text in _drift(facts)]
    return " ".join(part for part in parts if part)


def spoken(slot: str) -> str:
    """`2026-12-01 09:30` for 20261201T0930."""
    return f"{slot[:4]}-{slot[4:6]}-{slot[6:8]} {slot[9:11]}:{slot[11:13]}"


def _standing(facts: JobFacts) -> str:
    name = facts.job.name
    if not facts.job.enabled:
        return f"{name} is switched off in the manifest (enabled = false)."
    if facts.entry is None:
        return f"{name} is not installed: jobsctl install."
    if facts.entry.held and facts.launchd.disabled:
        return f"{name} is switched off with jobsctl disable."
    if facts.launchd.domain_error:
        return f"Launchd could not be asked ({facts.launchd.domain_error})."
    if not facts.launchd.loaded:
        return f"Launchd does not have {name} loaded, so it cannot start: jobsctl install."
    return ""


def _drift(facts: JobFacts) -> list[str]:
    from jobs.status.rows import drift

    told = ("not installed", "launchd does not have it loaded", "off in the manifest")
    return [text for text in drift(facts) if not text.startswith(told)]


def _slot_story(
    facts: JobFacts, slot: Slot | None, records: Sequence[Record], log_tail: Sequence[str], now: int
) -> str:
    if slot is None:
        return f"{facts.job.name} has had no slot yet."
    head = f"The last slot was {spoken(slot.id)}"
    if facts.installed and slot.instant < facts.installed:
        return f"{head}, before the job was installed, so it does not count."
    state = slot_states(records).get(slot.id) or _covering(records, slot.id)
    if state is None:
        return f"{head}. {_silence(facts, slot, now)}"
    if state.ran:
        run = next((run for run in runs(records) if run.slot == slot.id), None)
        return f"{head}. {_run_story(run, log_tail, now)}"
    return f"{head}. It {_skip_story(facts, state, records)}."


def _covering(records: Sequence[Record], slot: str) -> SlotState | None:
    """The state of a slot inside the stretch of a `missed` record."""
    for record in records:
        if record.event == "missed" and record.slot and record.slot <= slot <= (record.to or record.slot):
            return SlotState(slot, record.reason or "not-fired", record.epoch)
    return None


def _skip_story(facts: JobFacts, state: SlotState, records: Sequence[Record]) -> str:
    text = SKIPS.get(state.word, f"came to nothing ({state.word})")
    told = next(
        (record for record in records if record.slot == state.slot and record.reason == state.word), None
    )
    if state.word == "guard" and told is not None:
        if told.guard:
            text = text.replace("the guard", f"the guard {told.guard}")
        breaker = (facts.guards or {}).get(told.guard or "")
        if breaker is not None and breaker.state != "closed" and breaker.words:
            text += f" (the tool said: {breaker.words})"
    if state.word == "lock" and facts.holder is not None:
        text += f" (now by process {facts.holder.pid} of {facts.holder.job})"
    if state.word in {"guard", "canary", "lock"}:
        made_up = facts.job.catchup is not None
        text += "; catch-up makes it up" if made_up else "; nothing makes it up, as catchup is off for it"
    return text


def _silence(facts: JobFacts, slot: Slot, now: int) -> str:
    if now - slot.instant < SETTLE_S:
        return "That is only moments ago: nothing is on record yet."
    code, signal = facts.launchd.exit
    if code == 78:
        return (
            "Nothing is on record, and launchd says 78: it could not start the program. "
            "`jobsctl doctor` looks for the reason."
        )
    if code or signal:
        return f"Nothing is on record; launchd's last start of it ended with {describe_exit(code, signal)}."
    if facts.launchd.domain_error or not facts.launchd.loaded:
        return "Nothing is on record: it was not loaded."
    return (
        "Nothing is on record: launchd did not start it. The Mac was off, asleep or nobody was logged in; "
        "after a wake launchd starts it late."
    )


def _run_story(run: Run | None, log_tail: Sequence[str], now: int) -> str:
    if run is None:
        return "It has never run."
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.epoch))
    by = {"catchup": ", by catch-up", "manual": ", by hand"}.get(run.trigger or "", "")
    late = f", {age(run.late)} late" if run.late and run.late > 60 else ""
    head = f"It ran at {began}{by}{late}"
    if run.word == "running":
        return f"{head} and still runs, for {age(now - run.epoch)} (process {run.pid})."
    if run.word == "crashed":
        return f"{head} and vanished: no end is on record and its process is gone (kill -9, a crash or a power cut)."
    span = f" after {age(run.seconds)}" if run.seconds is not None else ""
    if run.word == "ok":
        return f"{head} and ended well{span}."
    ended = describe_exit(run.exit, run.signal) if run.exit is not None or run.signal is not None else ""
    text = f"{head} and ended{span}: {run.word}" + (f", {ended}" if ended else "")
    if run.text:
        text += f" ({run.text})"
    last = [line for line in log_tail if line.strip()][-1:]
    return f"{text}." + (f" Its log ends with: {last[0].strip()}" if last else "")
