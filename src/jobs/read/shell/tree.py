"""The tree of a shell script: statements, words and what they are made of.

Nodes know their parent, so that a rule can ask in which position a command stands. They are filled while reading and
not changed afterwards. Every position is an offset in characters into the text of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

PartKind = Literal["literal", "variable", "command", "arithmetic", "process"]


@dataclass(slots=True, eq=False)
class Part:
    """A piece of a word. `text` is the literal's value, or the name of the variable (`$` left out)."""

    kind: PartKind
    text: str
    start: int
    end: int
    quoted: bool = False
    operator: str = (
        ""  # of `${name OPERATOR rest}`, as far as it is one of the shell's: ":-", "##", ",,", "@Q", "[" …
    )
    rest: str = ""  # what stands behind the operator, as written
    inner: tuple[Part, ...] = ()  # the pieces of `rest`, or the expansions in an arithmetic expression
    block: Block | None = None  # of a command or process substitution


@dataclass(slots=True, eq=False)
class Word:
    """A word as the shell sees it before expansion. `raw` is its text in the file."""

    parts: tuple[Part, ...]
    raw: str
    start: int
    end: int
    array: tuple[Word, ...] | None = None  # the elements of `(a b c)` in an assignment
    plain: bool = field(init=False)  # one piece of text, with nothing in it to expand
    literal: str | None = field(init=False)  # the value when it is known without running anything
    _shape: str | None = field(init=False)

    def __post_init__(self) -> None:
        parts = self.parts
        if len(parts) == 1:
            literal = parts[0].text if parts[0].kind == "literal" else None
            self.plain = literal is not None and self.array is None
            self._shape = literal if self.plain else None
        else:
            known = all(part.kind == "literal" for part in parts)
            literal = "".join(part.text for part in parts) if known else None
            self.plain, self._shape = False, literal
        self.literal = literal

    @property
    def shape(self) -> str:
        """The value with `$name` for variables and `$(…)` for what is computed: for messages and for patterns."""
        if self._shape is None:
            self._shape = "".join(
                part.text
                if part.kind == "literal"
                else f"${part.text}"
                if part.kind == "variable"
                else f"$({part.text})"
                for part in self.parts
            )
        return self._shape

    def all_parts(self) -> Iterator[Part]:
        """Every piece, those inside of `${…}` and of array elements included."""
        for part in self.parts:
            yield part
            if part.inner:
                waiting = list(part.inner)
                while waiting:
                    inner = waiting.pop(0)
                    yield inner
                    waiting[:0] = inner.inner
        for element in self.array or ():
            yield from element.all_parts()

    def variables(self) -> tuple[str, ...]:
        """The names of the variables that are expanded."""
        if self.plain:
            return ()
        return tuple(part.text for part in self.all_parts() if part.kind == "variable")


@dataclass(slots=True, eq=False)
class HereDocument:
    """The body behind `<<`. `expands` is False when the delimiter is quoted."""

    body: Word
    expands: bool
    delimiter: str
    strip_tabs: bool


@dataclass(slots=True, eq=False)
class Redirect:
    """`fd OPERATOR target`. `fd` is "" when it is not written, or a name for `{name}>`."""

    operator: str
    fd: str
    target: Word
    start: int
    end: int
    document: HereDocument | None = None


@dataclass(slots=True, eq=False)
class Assignment:
    """`name=value`, `name+=value` or `name[subscript]=value`."""

    name: str
    value: Word
    start: int
    end: int
    append: bool = False
    subscript: str = ""


@dataclass(slots=True, eq=False)
class Node:
    """A statement. `slot` says which place it has in its parent."""

    start: int
    end: int
    parent: Node | None = field(default=None, init=False)
    slot: str = field(default="", init=False)
    index: int = field(default=0, init=False)  # in its block or pipeline
    background: bool = field(default=False, init=False)
    redirects: tuple[Redirect, ...] = field(default=(), init=False)

    def children(self) -> Iterator[tuple[str, Node]]:
        """The statements directly inside, with their slots, in the order of the text."""
        return iter(())

    def ancestors(self) -> Iterator[Node]:
        """The statements around, from the inside out."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


@dataclass(slots=True, eq=False)
class Block(Node):
    """Statements one after another."""

    items: list[Node]

    def children(self) -> Iterator[tuple[str, Node]]:
        """The items."""
        for item in self.items:
            yield "item", item


@dataclass(slots=True, eq=False)
class Command(Node):
    """A simple command, `[ … ]`, `[[ … ]]` or `(( … ))`; with no words it only assigns or redirects."""

    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()  # in front of the name, or the arguments of export, local …
    name: str = field(default="", init=False)  # "" when the name is computed or there is none

    def __post_init__(self) -> None:
        if self.words:
            self.name = self.words[0].literal or ""

    @property
    def arguments(self) -> tuple[Word, ...]:
        """The words behind the name."""
        return self.words[1:]

    def all_words(self) -> Iterator[Word]:
        """Every word, of assignments and redirects too."""
        yield from self.words
        for assignment in self.assignments:
            yield assignment.value
        for redirect in self.redirects:
            yield redirect.target

    def children(self) -> Iterator[tuple[str, Node]]:
        """The commands that are substituted into its words."""
        for block in substitutions(self.all_words()):
            yield "substitution", block

    @property
    def substitutes(self) -> bool:
        """Whether any word can hold a command: most have none, and walks need not look closer."""
        return bool(self.assignments or self.redirects) or not all(word.plain for word in self.words)


def substitutions(words: Iterator[Word]) -> Iterator[Block]:
    """The blocks of `$(…)`, backquotes and `<(…)` in words, outermost ones only."""
    for word in words:
        if word.plain:
            continue
        for part in word.all_parts():
            if part.block is not None:
                yield part.block


@dataclass(slots=True, eq=False)
class AndOr(Node):
    """`left && right` or `left || right`."""

    left: Node
    operator: str
    right: Node

    def children(self) -> Iterator[tuple[str, Node]]:
        """Both sides."""
        yield "left", self.left
        yield "right", self.right


@dataclass(slots=True, eq=False)
class Not(Node):
    """`! body`."""

    body: Node

    def children(self) -> Iterator[tuple[str, Node]]:
        """The body."""
        yield "body", self.body


@dataclass(slots=True, eq=False)
class Pipeline(Node):
    """`a | b |& c`."""

    items: list[Node]
    operators: list[tuple[str, int]]  # with their offsets

    def children(self) -> Iterator[tuple[str, Node]]:
        """The stages."""
        for item in self.items:
            yield "stage", item


@dataclass(slots=True, eq=False)
class Group(Node):
    """`{ … }`, or `( … )` when `subshell`."""

    body: Block
    subshell: bool

    def children(self) -> Iterator[tuple[str, Node]]:
        """The body."""
        yield "body", self.body


@dataclass(slots=True, eq=False)
class If(Node):
    """`if … elif … else … fi`: the arms are (condition, branch)."""

    arms: list[tuple[Block, Block]]
    otherwise: Block | None

    def children(self) -> Iterator[tuple[str, Node]]:
        """Conditions and branches."""
        for condition, branch in self.arms:
            yield "condition", condition
            yield "branch", branch
        if self.otherwise is not None:
            yield "otherwise", self.otherwise


@dataclass(slots=True, eq=False)
class Loop(Node):
    """`while`, `until`, `for` or `select`."""

    kind: str
    condition: Block | None
    variable: str
    values: tuple[Word, ...]
    body: Block

    def children(self) -> Iterator[tuple[str, Node]]:
        """The condition, what is substituted into the list, and the body."""
        if self.condition is not None:
            yield "condition", self.condition
        for block in substitutions(iter(self.values)):
            yield "substitution", block
        yield "body", self.body


@dataclass(slots=True, eq=False)
class Case(Node):
    """`case subject in … esac`; each item has its patterns, its block, and what ends it (`;;`, `;&`, `;;&`)."""

    subject: Word
    items: list[tuple[tuple[Word, ...], Block, str]]

    def children(self) -> Iterator[tuple[str, Node]]:
        """What is substituted into the subject, and the blocks."""
        for block in substitutions(iter((self.subject,))):
            yield "substitution", block
        for _patterns, block, _ending in self.items:
            yield "item", block


@dataclass(slots=True, eq=False)
class Function(Node):
    """A definition."""

    name: str
    body: Node

    def children(self) -> Iterator[tuple[str, Node]]:
        """The body."""
        yield "body", self.body


def link(root: Node) -> None:
    """Give every node below `root` its parent, slot and index; without recursion, so that depth does not matter."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for index, (slot, child) in enumerate(node.children()):
            child.parent, child.slot, child.index = node, slot, index
            waiting.append(child)
        if not isinstance(node, Command):
            for block in substitutions(redirect.target for redirect in node.redirects):
                block.parent, block.slot = node, "substitution"
                waiting.append(block)


def walk(root: Node) -> Iterator[Node]:
    """The node and everything below it, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Command):
            if node.substitutes:
                waiting += reversed(list(substitutions(node.all_words())))
            continue
        below = [child for _slot, child in node.children()]
        if node.redirects:
            below += substitutions(redirect.target for redirect in node.redirects)
        waiting += reversed(below)


def commands(root: Node) -> Iterator[Command]:
    """The commands at and below a node, in the order of the text."""
    return (node for node in walk(root) if isinstance(node, Command))
