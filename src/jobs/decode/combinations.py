"""Keys of a job that do not go together, or that need another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobs.decode.launchd import TRIGGERS
from jobs.read.nodes import Entry, Table

if TYPE_CHECKING:
    from jobs.decode.job import Keys
    from jobs.decode.reader import Reader
    from jobs.model.job import Lock, Once

_STARTERS = ("at", "cron", "every", "watch", "at_load", "keep_alive")


def check_combinations(
    keys: Keys, read: Reader, *, calendar: bool, once: Once | None, lock: Lock | None, guarded: bool
) -> None:
    """Note what is missing and what excludes each other. What [defaults] says beyond need is passed over."""
    meant = {key for table, key in read.findings.meant if table in {("jobs", keys.name), ("defaults",)}}
    if "run" not in keys.all and "run" not in meant:
        fix = 'add run = ["program", "argument"], or run = "a line for the shell"'
        read.findings.add("M005", keys.header, f"{keys.title} has no `run`", fix)
    if not any(name in meant or _starts(name, keys, read) for name in _STARTERS) and not _raw_starter(keys):
        message = f"nothing ever starts {keys.title}"
        fix = 'add at = "09:30", or one of `cron`, `every`, `watch`, `at_load`, `keep_alive`'
        read.findings.add("M005", keys.header, message, fix)
    _check_starters(keys, read)
    for name in ("deadline", "timezone"):
        if keys.is_own(name) and not calendar:
            message = f"`{name}` says something about times, and {keys.title} has none"
            read.findings.add("M006", keys.all[name].key, message, "add `at` or `cron`, or take it away")
    if once is not None and keys.is_own("once") and once.per == "slot" and not calendar:
        message = f'`once` per "slot" needs times, and {keys.title} has none'
        read.findings.add(
            "M006", keys.all["once"].node.span, message, 'add `at` or `cron`, or write "hour" or "day"'
        )
    if once is not None and once.mark == "success" and lock is None:
        entry = keys.all["lock"] if keys.is_own("lock") else keys.all["once"]
        message = (
            '`once` with mark = "success" needs a lock: without one, two runs could both see no success yet'
        )
        read.findings.add("M006", entry.node.span, message, 'take lock = false away, or write mark = "start"')
    if keys.is_own("catchup"):
        _check_catchup(keys, read, calendar=calendar, guarded=guarded)


def _starts(name: str, keys: Keys, read: Reader) -> bool:
    """Whether a key starts the job: it is there, and not `false`."""
    node = keys.node(name)
    return node is not None and read.boolean(node) is not False


def _raw_starter(keys: Keys) -> bool:
    node = keys.node("launchd")
    return isinstance(node, Table) and bool(TRIGGERS & node.entries.keys())


def _check_starters(keys: Keys, read: Reader) -> None:
    """One form of schedule per job, and no schedule for a job that is kept alive."""
    forms = [name for name in ("at", "cron", "every") if name in keys.all]
    forms.sort(key=lambda name: keys.all[name].key)
    if len(forms) > 1:
        first, second = forms[:2]
        if {first, second} == {"at", "cron"}:
            fix = "keep one of them; at takes an array of times"
        else:
            fix = "keep one of them, or make two jobs that share a lock"
        message = f"`{second}` cannot stand beside `{first}`: a job has one form of schedule"
        read.findings.add("M006", keys.all[second].key, message, fix)
    if forms and _starts("keep_alive", keys, read):
        entry: Entry = keys.all["keep_alive"]
        message = f"`keep_alive` cannot stand beside `{forms[0]}`: a job on a schedule must not be kept alive"
        read.findings.add("M006", entry.key, message, f"take `keep_alive` or `{forms[0]}` away")


def _check_catchup(keys: Keys, read: Reader, *, calendar: bool, guarded: bool) -> None:
    entry = keys.all["catchup"]
    if read.boolean(entry.node) is False:
        return
    if not calendar:
        message = f"`catchup` makes up slots, and {keys.title} has none"
        fix = "take it away: a job that runs every so often comes back by itself"
        read.findings.add("M006", entry.key, message, fix)
        return
    reasons = entry.node.node("for") if isinstance(entry.node, Table) else None
    texts = {text for _, text in read.strings(reasons)} or {"guard"}
    if texts == {"guard"} and not guarded and "guard" not in keys.own:
        message = f"`catchup` makes up what a guard skipped, and {keys.title} has no guard"
        fix = 'add a guard, or write catchup = { for = ["missed"] }'
        read.findings.add("M006", entry.key, message, fix)
