"""A plan and its result in plain words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from jobs.install.action import Action, Kind, Plan
from jobs.install.apply import Done, Result

LOADING = {Kind.ADD, Kind.CHANGE, Kind.LOAD, Kind.RELOAD, Kind.ENABLE}


def plan_lines(plan: Plan, *, commands: bool) -> list[str]:
    """The plan, a job a paragraph: kind, name, reason, the keys that differ, and the launchctl lines if asked for."""
    lines = []
    for action in plan.actions:
        if action.kind is Kind.KEEP and not action.reason:
            continue
        lines.append(f"{action.kind.value:<8} {action.name}: {action.reason}")
        lines += [f"         {difference}" for difference in action.differences]
        if action.waits:
            lines.append("         it runs now: its end is waited for (--now stops it)")
        if commands:
            if action.write:
                verb = "write" if action.data is not None else "delete"
                lines.append(f"         {verb} {action.path}")
            lines += [f"         $ {line}" for line in action.commands()]
    kept = sum(action.kind is Kind.KEEP and not action.reason for action in plan.actions)
    if kept:
        lines.append(f"{kept} {_jobs(kept)} unchanged")
    return lines


def left_lines(plan: Plan) -> list[str]:
    """What was left alone, and how to take it over."""
    return [
        f"left alone: {action.name}: {action.reason} ({action.path}); "
        f"`--force {action.name}` takes it over and keeps a copy"
        for action in plan.left
    ]


def failure_lines(result: Result) -> list[str]:
    """Each job that did not work, and in which state it is now."""
    return [f"failed: {done.action.name}: {done.error}{_afterwards(done)}" for done in result.failed]


def _afterwards(done: Done) -> str:
    if not done.put_back:
        return ""
    if done.action.was.service is not None:
        return " (put back: the old one is loaded)"
    return " (put back: not loaded, as before)"


def is_loaded(done: Done) -> bool:
    """Whether the job of a finished action is loaded now."""
    if done.error:
        return done.put_back and done.action.was.service is not None
    return done.action.load or (done.action.was.service is not None and not done.action.unload)


def verdict(plan: Plan, result: Result) -> str:
    """The last line: what is loaded and what is not."""
    worked = {id(done.action): done for done in result.done}
    loaded: list[str] = []
    down: list[str] = []
    for action in plan.actions:
        if action.kind is Kind.REMOVE and not (id(action) in worked and worked[id(action)].error):
            continue
        if action.kind is Kind.LEAVE:
            down.append(action.name)
            continue
        done = worked.get(id(action))
        if done is None:
            up = action.was.service is not None or action.once
        else:
            up = is_loaded(done) or (action.once and not done.error)
        if up:
            loaded.append(action.name)
        elif not _meant_to_be_off(action):
            down.append(action.name)
    removed = sum(done.action.kind is Kind.REMOVE and not done.error for done in result.done)
    parts = [f"{len(loaded)} {_jobs(len(loaded))} loaded"]
    if removed:
        parts.append(f"{removed} removed")
    off = [action.name for action in plan.actions if _meant_to_be_off(action)]
    if off:
        parts.append(f"switched off: {', '.join(sorted(off))}")
    if down:
        parts.append(f"NOT as the manifest says: {', '.join(sorted(set(down)))}")
    return "; ".join(parts)


def _meant_to_be_off(action: Action) -> bool:
    if (
        action.kind in {Kind.UNLOAD, Kind.REWRITE, Kind.KEEP}
        and action.after is not None
        and action.after.held
    ):
        return True
    return action.kind is Kind.KEEP and action.after is None


def removal_verdict(plan: Plan, result: Result) -> str:
    """The last line of an uninstall."""
    gone = [done.action.name for done in result.done if not done.error]
    gone += [action.name for action in plan.actions if action.kind is Kind.REMOVE and not action.changes]
    stays = [done.action.name for done in result.failed] + [action.name for action in plan.left]
    if not gone and not stays:
        return "nothing is installed"
    text = f"{len(gone)} {_jobs(len(gone))} removed"
    return f"{text}; NOT removed: {', '.join(sorted(stays))}" if stays else text


def _jobs(count: int) -> str:
    return "job" if count == 1 else "jobs"


def action_record(action: Action) -> dict[str, object]:
    """One action for `--json`."""
    return {
        "kind": action.kind.value,
        "label": action.label,
        "name": action.name,
        "reason": action.reason,
        "path": str(action.path),
        "waits": action.waits,
        "differences": [{"key": one.key, "old": one.old, "new": one.new} for one in action.differences],
        "commands": list(action.commands()),
    }


def records(plan: Plan, done: Sequence[Done]) -> list[dict[str, object]]:
    """All actions for `--json`, with how each ended where it was carried out."""
    ended = {id(one.action): one for one in done}
    found = []
    for action in plan.actions:
        record = action_record(action)
        one = ended.get(id(action))
        if one is not None:
            record |= {"error": one.error or None, "put_back": one.put_back, "loaded": is_loaded(one)}
        found.append(record)
    return found
