"""What becomes of a command's status, and what must have happened before a command runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from jobs.read.shell.script import Script
from jobs.read.shell.tree import (
    AndOr,
    Block,
    Case,
    Command,
    Function,
    Group,
    If,
    Loop,
    Node,
    Not,
    Pipeline,
    Word,
    commands,
    walk,
)

LEAVING = frozenset({"exit", "return", "continue", "break", "exec"})
STATUS_TEST = re.compile(r"-(ne|eq|gt)|!=|==?")


@dataclass(slots=True)
class Outcome:
    """Where the status of a command goes: what runs only when it succeeds, and only when it fails."""

    tested: bool = False
    success: list[Node] = field(default_factory=list)
    failure: list[Node] = field(default_factory=list)
    rest: list[Node] = field(
        default_factory=list
    )  # runs after a failure, because a success has left before it
    repeats: bool = False  # a loop tries again when it fails
    ends_script: bool = False  # untested under `set -e`
    through: list[Function] = field(default_factory=list)  # the functions whose status it becomes


@dataclass(frozen=True, slots=True)
class Leave:
    """A command that leaves the script, the function or the loop; `status` as written, "" when none is."""

    command: Command
    kind: str
    status: str


def outcome(script: Script, command: Node) -> Outcome:
    """Where the status of a command goes, through lists, conditions, `$?` and the functions that return it."""

    def trace() -> Outcome:
        found = Outcome()
        _follow(script, command, found, positive=True, seen=set())
        if not found.tested and "e" in script.options:
            found.ends_script = True
        return found

    return script.once(f"outcome:{id(command)}", trace)


def _follow(script: Script, node: Node, out: Outcome, *, positive: bool, seen: set[int]) -> None:
    while True:
        parent = node.parent
        if parent is None or node.background:
            return
        if isinstance(parent, AndOr):
            if node.slot == "left":
                out.tested = True
                when_true = parent.operator == "&&"
                _branch(out, [parent.right], taken=when_true == positive)
                _returns(script, parent, parent.right, out, failed=when_true != positive, seen=seen)
                if when_true == positive and leaves(script, [parent.right]):
                    out.rest += _behind(parent)
        elif isinstance(parent, Not):
            positive = not positive
        elif isinstance(parent, Block):
            above = parent.parent
            if not _is_last(node, parent):
                _status_variable(script, parent, node, out, positive=positive)
                return
            if isinstance(above, If) and parent.slot == "condition":
                _condition(script, above, parent, out, positive=positive, seen=seen)
                return
            if isinstance(above, Loop):
                if parent.slot == "condition":
                    _loop(above, out, positive=positive)
                return
            if above is None:
                return
            if isinstance(above, Command) and above.words:
                return
            node = parent
            parent = above
        elif (
            isinstance(parent, Pipeline) and node is not parent.items[-1] and "pipefail" not in script.options
        ):
            return
        if isinstance(parent, Function):
            if id(parent) in seen:
                return
            seen.add(id(parent))
            out.through.append(parent)
            for call in script.calls.get(parent.name, ()):
                _follow(script, call, out, positive=positive, seen=seen)
            return
        node = parent


def _is_last(node: Node, block: Block) -> bool:
    return bool(block.items) and block.items[-1] is node


def _branch(out: Outcome, nodes: Iterable[Node], *, taken: bool) -> None:
    (out.success if taken else out.failure).extend(nodes)


def _returns(script: Script, at: Node, branch: Node, out: Outcome, *, failed: bool, seen: set[int]) -> None:
    """A `return` in a branch hands the status to the callers of the function."""
    function = function_of(at)
    if function is None or id(function) in seen:
        return
    for command in commands(branch):
        if command.name == "return":
            word = command.arguments[0].literal if command.arguments else None
            good = word == "0" if word is not None else not failed
            seen.add(id(function))
            out.through.append(function)
            for call in script.calls.get(function.name, ()):
                # The caller sees a success where this status was a failure, if `return 0` stands behind it.
                _follow(script, call, out, positive=good != failed, seen=seen)
            return


def _condition(
    script: Script, above: If, condition: Block, out: Outcome, *, positive: bool, seen: set[int]
) -> None:
    out.tested = True
    index = next(i for i, (block, _branch_block) in enumerate(above.arms) if block is condition)
    then: list[Node] = [above.arms[index][1]]
    otherwise: list[Node] = [branch for _condition_block, branch in above.arms[index + 1 :]]
    if above.otherwise is not None:
        otherwise.append(above.otherwise)
    _branch(out, then, taken=positive)
    _branch(out, otherwise, taken=not positive)
    if leaves(script, then if positive else otherwise):
        out.rest += _behind(above)
    for nodes, failed in ((then, not positive), (otherwise, positive)):
        for node in nodes:
            _returns(script, above, node, out, failed=failed, seen=seen)


def _behind(node: Node) -> list[Node]:
    block = node.parent
    return block.items[node.index + 1 :] if isinstance(block, Block) else []


def _loop(above: Loop, out: Outcome, *, positive: bool) -> None:
    out.tested = True
    body_when = (above.kind != "until") == positive
    _branch(out, [above.body], taken=body_when)
    if not body_when:
        out.repeats = True


def _status_variable(script: Script, block: Block, node: Node, out: Outcome, *, positive: bool) -> None:
    """`command; rc=$?; if [ $rc -ne 0 ]`, or `$?` at once."""
    following = block.items[node.index + 1 : node.index + 4]
    names = {"?"}
    for index, item in enumerate(following):
        if isinstance(item, Command) and not item.words and item.assignments:
            if index == 0 and any("?" in assignment.value.variables() for assignment in item.assignments):
                names |= {assignment.name for assignment in item.assignments}
                continue
            return
        for command in commands(item) if isinstance(item, If | AndOr) else ():
            if command.name in ("[", "[[", "test", "((") and names & {
                name for word in command.words for name in word.variables()
            }:
                out.tested = True
                operator = STATUS_TEST.search(" ".join(word.shape for word in command.words))
                good = operator is not None and operator.group() in ("-eq", "=", "==")
                _follow(script, command, out, positive=positive if good else not positive, seen=set())
                return
            break
        if index > 0 or not isinstance(item, Command):
            return


def function_of(node: Node) -> Function | None:
    """The function in which a statement stands, or None."""
    return next((above for above in node.ancestors() if isinstance(above, Function)), None)


def own_commands(nodes: Iterable[Node]) -> Iterator[Command]:
    """The commands in statements, without those in functions defined there."""
    for root in nodes:
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Function):
                continue
            if isinstance(node, Command):
                yield node
            waiting += reversed([child for _slot, child in node.children()])


def leaves(script: Script, nodes: Iterable[Node]) -> Leave | None:
    """How statements leave: the first command that ends the script, else the first return, continue or break."""
    first: Leave | None = None
    for command in own_commands(nodes):
        leave = None
        if command.name in LEAVING:
            if command.name == "exec" and len(command.words) < 2:
                continue
            leave = Leave(command, command.name, command.arguments[0].shape if command.arguments else "")
        elif command.name in exiting_functions(script):
            leave = Leave(command, "exit", exiting_functions(script)[command.name].status)
        if leave is not None:
            if leave.kind in ("exit", "exec"):
                return leave
            first = first or leave
    return first


def exiting_functions(script: Script) -> dict[str, Leave]:
    """The functions whose last statement is an exit (`die`, `fail`), with that exit."""

    def find() -> dict[str, Leave]:
        found: dict[str, Leave] = {}
        for _round in range(3):
            for name, function in script.functions.items():
                last = _last_command(function.body)
                if name in found or last is None:
                    continue
                if last.name == "exit":
                    status = last.arguments[0].shape if last.arguments else ""
                    found[name] = Leave(last, "exit", "1" if status.startswith("$") else status)
                elif last.name in found:
                    found[name] = found[last.name]
        return found

    return script.once("exiting", find)


def _last_command(node: Node) -> Command | None:
    while True:
        if isinstance(node, Command):
            return node
        if isinstance(node, Group):
            node = node.body
        elif isinstance(node, Block):
            if not node.items:
                return None
            node = node.items[-1]
        else:
            return None


@dataclass(frozen=True, slots=True)
class Premise:
    """A condition that decided whether a statement runs. `holds`: it succeeded, or it failed."""

    condition: Node
    holds: bool


def premises(script: Script, node: Node) -> Iterator[Premise]:
    """The conditions under which a statement runs: those around it, those that left earlier, and its callers'."""
    for current, parent in around(script, node):
        if isinstance(parent, Block):
            yield from (premise for index, premise in gates(script, parent) if index < current.index)
        else:
            yield from direct_premises(current, parent)


def around(script: Script, node: Node) -> Iterator[tuple[Node, Node]]:
    """The (statement, parent) pairs from a statement outwards; a function's only caller comes behind the function."""
    current: Node = node
    for _depth in range(4):
        while (parent := current.parent) is not None:
            yield current, parent
            current = parent
            if isinstance(parent, Function):
                break
        calls = script.calls.get(current.name, ()) if isinstance(current, Function) else ()
        if len(calls) != 1:
            # An uncalled or often called function: what stands around its definition still holds.
            while (parent := current.parent) is not None:
                yield current, parent
                current = parent
            return
        current = calls[0]


def direct_premises(current: Node, parent: Node) -> Iterator[Premise]:
    """The conditions that a statement's parent puts on it."""
    if isinstance(parent, AndOr) and current.slot == "right":
        yield Premise(parent.left, holds=parent.operator == "&&")
    elif isinstance(parent, If):
        yield from _arm_premises(parent, current)
    elif isinstance(parent, Loop) and current.slot == "body" and parent.condition is not None:
        yield Premise(parent.condition, holds=parent.kind != "until")
    elif isinstance(parent, Case) and current.slot == "item":
        yield Premise(parent, holds=True)


def gated(script: Script, node: Node, name: str, asks: Callable[[Premise], bool]) -> bool:
    """Whether a premise of a statement answers `asks`; the gates of each block are asked once, under `name`."""
    for current, parent in around(script, node):
        if isinstance(parent, Block):
            first = script.once(f"{name}:{id(parent)}", lambda block=parent: _first_gate(script, block, asks))  # type: ignore[misc]
            if first < current.index:
                return True
        elif any(map(asks, direct_premises(current, parent))):
            return True
    return False


def _first_gate(script: Script, block: Block, asks: Callable[[Premise], bool]) -> int:
    return next((index for index, premise in gates(script, block) if asks(premise)), len(block.items))


def _arm_premises(above: If, branch: Node) -> Iterator[Premise]:
    for condition, block in above.arms:
        if condition is branch:
            return
        if block is branch:
            yield Premise(condition, holds=True)
            return
        yield Premise(condition, holds=False)


def gates(script: Script, block: Block) -> list[tuple[int, Premise]]:
    """What the statements of a block have made sure of by leaving: (index, premise) for all that come behind."""

    def find() -> list[tuple[int, Premise]]:
        found: list[tuple[int, Premise]] = []
        for index, item in enumerate(block.items):
            if isinstance(item, AndOr) and leaves(script, [item.right]):
                found.append((index, Premise(item.left, holds=item.operator == "||")))
            elif isinstance(item, If):
                for condition, branch in item.arms:
                    if leaves(script, [branch]):
                        found.append((index, Premise(condition, holds=False)))
                if item.otherwise is not None and leaves(script, [item.otherwise]):
                    found.append((index, Premise(item.arms[0][0], holds=True)))
        return found

    return script.once(f"gates:{id(block)}", find)


def mentions(node: Node, names: Iterable[str]) -> bool:
    """Whether a command of one of these names, or a variable of one of them, stands in a statement."""
    wanted = frozenset(names)
    for each in walk(node):
        if isinstance(each, Command):
            if each.name in wanted:
                return True
            if any(name in wanted for word in each.all_words() for name in word.variables()):
                return True
        elif isinstance(each, Case) and any(name in wanted for name in each.subject.variables()):
            return True
    return False


def text_of(script: Script, nodes: Iterable[Node]) -> str:
    """What statements say: all their words, for messages such as "already running"."""
    return " ".join(script.slice(node.start, node.end) for node in nodes)


Ending = Literal["exit", "return", "continue", "break", "exec"]


def is_status_zero(status: str) -> bool:
    """Whether a status as written is surely 0."""
    return status == "0"


def words_of(command: Command) -> tuple[Word, ...]:
    """The arguments that are not options; what follows `--` is never one."""
    found: list[Word] = []
    plain = False
    for word in command.arguments:
        text = word.shape
        if not plain and text == "--":
            plain = True
        elif plain or not text.startswith("-") or text == "-":
            found.append(word)
    return tuple(found)


def has_option(command: Command, letter: str, long: str = "") -> bool:
    """Whether a short option stands in the arguments, alone or in a cluster, or its long form."""
    for word in command.arguments:
        text = word.shape
        if text == "--":
            return False
        if long and (text == long or text.startswith(long + "=")):
            return True
        if letter and re.match(r"-[A-Za-z]*" + letter, text) and not text.startswith("--"):
            return True
    return False
