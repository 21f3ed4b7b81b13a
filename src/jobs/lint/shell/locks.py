"""Which paths of a script are locks, told from what is done with the status and with the path, not from names alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from jobs.lint.shell.operations import (
    Operation,
    base_name,
    handler_functions,
    inner_command,
    liveness,
    operations,
    removals_in_trap,
)
from jobs.read.shell.flow import (
    Leave,
    Outcome,
    function_of,
    leaves,
    outcome,
    own_commands,
    premises,
    text_of,
)
from jobs.read.shell.script import Script, Trap
from jobs.read.shell.tree import AndOr, Command, If, Loop, Node, commands
from jobs.read.shell.values import values_of

LOCKISH = re.compile(
    r"lock|lck|mutex|semaphore|\bsem\b|running|\.pid\b|pid_?file|in_?progress|in_?use|busy", re.IGNORECASE
)
NOT_LOCKS = re.compile(
    r"(package-lock|pnpm-lock|-lock\.(json|ya?ml)|yarn\.lock|cargo\.lock|gemfile\.lock|poetry\.lock|uv\.lock|flake\.lock|composer\.lock|\.lock\.hcl|podfile\.lock|package\.resolved|bun\.lockb?)",
    re.IGNORECASE,
)
FOLDER_OF_LOCKS = re.compile(
    r"(lock|mutex)\w*(dir|path|root|home|base)|locks\b|/locks?$|/run$", re.IGNORECASE
)
SAYS_BUSY = re.compile(
    r"already\s+(?:\w+\s+)?(?:running|runs|run|started|active|locked|progress|use|processing|executing|being|going|working|up)\b"
    r"|(?:still|is|currently|presently)\s+(?:running|active|locked|in progress|working)|\bbusy\b|\blocked\b|\banother\s+\w+"
    r"|in progress|\bheld\b|lock\s*(?:file|dir)?\s*(?:exists|is taken|present|found)|(?:acquire|obtain|get|take)\w*\s+(?:the\s+|a\s+)?(?:\w+\s+)?lock"
    r"|holds? the lock|other instance|(?:previous|other|prior)\s+(?:run|instance|process|job)|overlap|concurrent|bereits|läuft|déjà|en cours|уже|実行中|既に|多重|正在|已在|已有",
    re.IGNORECASE,
)
PRIVATE = re.compile(r"\$\$|\$RANDOM|\$\{RANDOM|mktemp|\$BASHPID|%N|%s\b|\$SRANDOM|uuidgen")
OWNER_FILES = frozenset(
    {
        "pid",
        "owner",
        "info",
        "host",
        "hostname",
        "time",
        "started",
        "started_at",
        "token",
        "ts",
        "timestamp",
        "meta",
        "id",
        "cmd",
        "since",
    }
)
NAMES_PARENT = re.compile(r"%/\*|\bdirname\b|:h\}?")
ENOUGH = 60  # operations on one path that are looked at: a script that does more is made by a program
SHORT = 4  # statements behind an `if` that belong to its failure, when they are read for a message
LOCK_TOOLS = frozenset({"shlock", "lockfile", "dotlockfile"})
DATE = re.compile(r"\$\((?:\S*/)?date\b|%\(%")


@dataclass(slots=True)
class Lock:
    """A path used as a lock: how it is taken, and everything else that is done to it."""

    key: str
    how: (
        str  # "mkdir", "mkdir-p", "exclusive", "create" (tested as if exclusive), "test-create", "descriptor"
    )
    takes: list[Operation]  # the operations that take it
    tests: list[Operation] = field(default_factory=list)
    removals: list[Operation] = field(default_factory=list)  # in the plain course
    trap_removals: list[Operation] = field(default_factory=list)
    writes_pid: bool = False

    @property
    def take(self) -> Operation:
        """The first operation that takes it."""
        return self.takes[0]

    @property
    def dated(self) -> bool:
        """Whether the date is part of the name: such a lock is kept for the day on purpose."""
        return DATE.search(self.key) is not None


def locks(script: Script) -> tuple[Lock, ...]:
    """The locks of a script, in the order in which they are taken."""
    return script.once("locks", lambda: _find(script))


def _find(script: Script) -> tuple[Lock, ...]:
    by_key: dict[str, list[Operation]] = {}
    for each in operations(script):
        if each.key and not NOT_LOCKS.search(each.key) and not _is_private(script, each):
            done = by_key.setdefault(each.key, [])
            if len(done) < ENOUGH:
                done.append(each)
    trap_removals: dict[str, list[Operation]] = {}
    for trap in script.traps:
        for removal in removals_in_trap(script, trap):
            removals = trap_removals.setdefault(removal.key, [])
            if len(removals) < ENOUGH:
                removals.append(removal)
    found: list[Lock] = []
    for key, done in by_key.items():
        lock = _judge(script, key, done, trap_removals.get(key, []), by_key)
        if lock is not None:
            found.append(lock)
    return tuple(sorted(found, key=lambda lock: lock.take.at))


def _is_private(script: Script, each: Operation) -> bool:
    """Whether the path carries something of this run alone (its pid, a random part): no other run ever meets it."""
    if PRIVATE.search(each.key):
        return True
    if each.trap is not None or not each.word.variables():
        return False
    return any(PRIVATE.search(text) for text, _word in values_of(script).possible(each.word, each.command))


def _judge(
    script: Script,
    key: str,
    done: list[Operation],
    trapped: list[Operation],
    by_key: dict[str, list[Operation]],
) -> Lock | None:
    plain = [each for each in done if each.trap is None]
    handlers = handler_functions(script)
    removals = [each for each in plain if each.kind == "remove"]
    own = [each for each in removals if id(function_of(each.command)) not in handlers]
    pid = any(each.pid for each in plain) or any(
        each.pid for name in OWNER_FILES for each in by_key.get(f"{key}/{name}", ())
    )
    lock = Lock(key, "", [], [each for each in plain if each.kind == "test"], own, trapped, pid)
    evidence = _standing_evidence(key, plain, bool(removals or trapped), pid)
    descriptor = _descriptor_lock(script, plain)
    if descriptor:
        return _as(lock, "descriptor", descriptor)
    for kind in ("mkdir", "exclusive"):
        takes = [each for each in plain if each.kind == kind]
        tested = [
            each
            for each in takes
            if _is_tested(script, each) and _looks_like_lock(script, each, evidence, plain)
        ]
        if tested and not _is_parent(key, by_key):
            return _as(lock, kind, takes)
        if kind == "exclusive" and takes and base_name(takes[0].command) in LOCK_TOOLS:
            return _as(lock, kind, takes)
    made = _test_create(script, plain, evidence)
    if made and not _is_owner_file(key, by_key):
        return _as(lock, "test-create", made)
    for kind in ("mkdir-p", "create"):
        takes = [each for each in plain if each.kind == kind and outcome(script, each.command).tested]
        takes = [each for each in takes if _looks_like_lock(script, each, evidence, plain)]
        takes = [each for each in takes if not NAMES_PARENT.search(each.word.raw)]
        if takes and not _is_owner_file(key, by_key) and not _is_parent(key, by_key):
            return _as(lock, kind, takes)
    return None


def _as(lock: Lock, how: str, takes: list[Operation]) -> Lock:
    lock.how, lock.takes = how, takes
    return lock


def _standing_evidence(key: str, plain: list[Operation], removed: bool, pid: bool) -> int:
    names = " ".join([key.rsplit("/", 1)[-1], *(each.word.raw for each in plain)])
    points = 2 if removed else 0
    if LOCKISH.search(names):
        points += 1
        if re.search(r"\.(lock|lck|pid)\b|lock$", key, re.IGNORECASE) and not FOLDER_OF_LOCKS.search(key):
            points += 1
    elif function_names(plain):
        points += 1
    return points + (2 if pid else 0)


def function_names(plain: Iterable[Operation]) -> bool:
    """Whether an operation stands in a function that is named after locking."""
    functions = (function_of(each.command) for each in plain)
    return any(function is not None and LOCKISH.search(function.name) for function in functions)


def _is_tested(script: Script, each: Operation) -> bool:
    out = outcome(script, each.command)
    return out.tested or out.ends_script


def _looks_like_lock(script: Script, each: Operation, evidence: int, plain: list[Operation]) -> bool:
    """Whether the status decides who runs: told by the flow, with the path's name and fate as second witnesses."""
    flow = _flow_evidence(script, each)
    named = lockish(each, plain)
    return flow + evidence >= 3 and (flow >= 2 or named)


def lockish(each: Operation, plain: Iterable[Operation]) -> bool:
    """Whether the path, the variable or the function around is named after locking."""
    if LOCKISH.search(each.key.rsplit("/", 1)[-1] + " " + each.word.raw):
        return True
    return function_names(plain)


def _flow_evidence(script: Script, each: Operation) -> int:
    """How much the use of the status looks like a lock: a busy message, a quiet end, another try, work only on success."""
    out = outcome(script, each.command)
    if out.repeats:
        return 3
    behind = [*out.failure, *(out.rest if len(out.rest) <= SHORT else ())]
    failure = leaves(script, behind)
    if SAYS_BUSY.search(text_of(script, behind)):
        return 3 if failure or out.success else 2
    if failure is not None:
        return 2 if failure.kind in ("exit", "return", "continue") and failure.status in ("0", "75") else 1
    if out.success and any(
        other.kind == "remove" and other.key == each.key
        for node in out.success
        for other in _inside(script, node)
    ):
        return 2
    if out.success:
        return 1
    return 1 if out.ends_script else 0


def _inside(script: Script, node: Node) -> Iterable[Operation]:
    done = operations(script)
    first = bisect_left(done, node.start, key=lambda each: each.at)
    return takewhile(lambda each: each.at < node.end, done[first : first + ENOUGH])


def _is_owner_file(key: str, by_key: dict[str, list[Operation]]) -> bool:
    """Whether the path lies in a folder that this script makes without -p: then that is the lock."""
    above = key.rsplit("/", 1)[0]
    return any(each.kind == "mkdir" for each in by_key.get(above, ()))


def _is_parent(key: str, by_key: dict[str, list[Operation]]) -> bool:
    """Whether the path only holds others: files are made or locked below it that do not describe an owner."""
    front = key + "/"
    for other, done in by_key.items():
        if not other.startswith(front):
            continue
        rest = other[len(front) :]
        if rest in OWNER_FILES or any(rest.startswith(name + ".") for name in OWNER_FILES):
            continue
        if any(each.kind in ("mkdir", "mkdir-p", "exclusive", "create", "open") for each in done):
            return True
    return False


def _descriptor_lock(script: Script, plain: list[Operation]) -> list[Operation]:
    """The openings of a path whose descriptor is then locked, or the path given to a locking command."""
    opened = [each for each in plain if each.kind == "open"]
    return opened if opened and descriptor_commands(script) else []


def descriptor_commands(script: Script) -> tuple[Command, ...]:
    """The commands that lock an open file: flock, lockf, zsystem flock."""

    def find() -> tuple[Command, ...]:
        found = []
        for command in script.commands:
            name, arguments = inner_command(command)
            if name in ("flock", "lockf") or (
                name == "zsystem" and arguments and arguments[0].literal == "flock"
            ):
                found.append(command)
        return tuple(found[:ENOUGH])

    return script.once("descriptor-commands", find)


def _test_create(script: Script, plain: list[Operation], evidence: int) -> list[Operation]:
    """The creations of a path whose existence was tested before, to leave or to wait."""
    creations = [each for each in plain if each.kind in ("create", "mkdir", "mkdir-p")]
    creations = [each for each in creations if each.kind != "mkdir" or not _is_tested(script, each)]
    if not creations:
        return []
    for test in (each for each in plain if each.kind == "test"):
        busy = busy_branch(script, test)
        if busy is None:
            continue
        later = [each for each in creations if each.at > test.at and not _only_when_busy(each, busy)]
        if not later:
            continue
        points = evidence
        if SAYS_BUSY.search(text_of(script, busy)):
            points += 2
        if later[0].pid:
            points += 1
        if (
            not any(_waits(node) for node in busy)
            and leaves(script, busy) is None
            and not _covers(test, later[0])
        ):
            continue
        if points >= 3:
            return later
    return []


def _only_when_busy(creation: Operation, busy: list[Node]) -> bool:
    return any(node.start <= creation.at < node.end for node in busy)


def _waits(node: Node) -> bool:
    above = node.parent
    return isinstance(above, Loop) and above.body is node


def _covers(test: Operation, creation: Operation) -> bool:
    """Whether the creation runs only when the test finds nothing: `if [ ! -f x ]; then touch x; …; fi`."""
    for above in creation.command.ancestors():
        if isinstance(above, If | AndOr) and any(each is test.command for each in commands(above)):
            return True
    return False


def busy_branch(script: Script, test: Operation) -> list[Node] | None:
    """What runs when the tested path is there; None when nothing depends on the test."""
    out: Outcome = outcome(script, test.command)
    if not out.tested:
        return None
    return out.failure if test.negated else out.success


def busy_leave(script: Script, each: Operation) -> Leave | None:
    """How the script leaves when it does not get the lock, if it does."""
    out = outcome(script, each.command)
    return leaves(script, out.failure)


def asks_age(script: Script, lock: Lock) -> Command | None:
    """The command that judges a lock by its age, or None."""
    values = values_of(script)
    for command in script.commands:
        name, arguments = inner_command(command)
        texts = [word.shape for word in arguments]
        if name == "find":
            fits = any(text in ("-mmin", "-mtime", "-cmin", "-amin", "-newermt", "-newer") for text in texts)
        elif name == "stat" or (name == "date" and "-r" in texts):
            fits = True
        elif name in ("[", "[[", "test"):
            fits = any(text in ("-ot", "-nt") for text in texts)
        else:
            continue
        if fits and any(values.key(word, command).startswith(lock.key) for word in arguments):
            return command
    return None


def take_overs(script: Script, lock: Lock) -> list[Operation]:
    """The removals of a lock that somebody else may hold: where taking it failed, or before it is tried."""
    found = []
    results = [outcome(script, take.command) for take in lock.takes]
    failures = [node for out in results for node in (*out.failure, *out.rest)]
    for removal in lock.removals:
        inside = any(node.start <= removal.at < node.end for node in failures)
        early = removal.at < lock.take.at and _judged_stale(script, lock, removal)
        if (inside or early) and not _under_other_lock(script, lock, removal):
            found.append(removal)
    return found


def _judged_stale(script: Script, lock: Lock, removal: Operation) -> bool:
    """Whether the removal depends on the state of the lock or its owner."""
    asking = {id(command) for command in liveness(script)}
    age = asks_age(script, lock)
    for premise in premises(script, removal.command):
        for command in commands(premise.condition):
            if id(command) in asking or command is age:
                return True
            if any(test.command is command for test in lock.tests):
                return True
            texts = " ".join(word.shape for word in command.words)
            if command.name in ("[", "[[", "test", "((") and re.search(
                r"age|old|stale|alive|dead|pid|elapsed", texts, re.IGNORECASE
            ):
                return True
    return False


def _under_other_lock(script: Script, lock: Lock, removal: Operation) -> bool:
    """Whether the take-over itself is guarded by another exclusive step."""
    exclusive = {
        id(each.command)
        for each in operations(script)
        if each.kind in ("mkdir", "exclusive") and each.key != lock.key
    } | {id(command) for command in descriptor_commands(script)}
    return any(
        id(command) in exclusive
        for premise in premises(script, removal.command)
        for command in commands(premise.condition)
    )


def frees(script: Script, trap: Trap, lock: Lock) -> list[Operation]:
    """What a trap's handler removes of a lock."""
    return [each for each in removals_in_trap(script, trap) if each.key == lock.key]


def plain_commands(nodes: Iterable[Node]) -> list[Command]:
    """The commands in statements, those of functions defined there left out."""
    return list(own_commands(nodes))
