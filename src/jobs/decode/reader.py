"""Values out of located tables. A wrong type is the schema's to tell: here it reads as if the key were not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from jobs.decode.findings import Findings
from jobs.decode.paths import CONTROL, PathError, expand
from jobs.decode.units import UnitError, parse_duration
from jobs.read.nodes import Array, Entry, Node, Scalar, Table
from jobs.read.toml_tree import quoted

Entries = Mapping[str, Entry]


class Reader:
    """Reads typed values and notes what is wrong with them. `root` and `home` are the bases of paths."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.root = "/"
        self.home = "/"

    def string(self, node: Node | None) -> str | None:
        """The text of a string, or None."""
        return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None

    def name(self, node: Node | None) -> str | None:
        """The text of a string that goes into labels, file names or lines: no control characters in it."""
        text = self.string(node)
        if text is None or node is None:
            return None
        if CONTROL.search(text):
            self.findings.add(
                "M008",
                node.span,
                f"{quoted(text)} has a control character",
                "take it out",
            )
            return None
        return text

    def boolean(self, node: Node | None) -> bool | None:
        """A boolean, or None."""
        return node.value if isinstance(node, Scalar) and isinstance(node.value, bool) else None

    def integer(self, node: Node | None) -> int | None:
        """An integer, or None."""
        return node.value if isinstance(node, Scalar) and node.kind == "integer" else None

    def entries(self, node: Node | None) -> Entries:
        """The entries of a table; none for anything else."""
        return node.entries if isinstance(node, Table) else {}

    def strings(self, node: Node | None) -> Iterator[tuple[Node, str]]:
        """The strings of an array, or the one that stands for it, each with its node."""
        for item in node.items if isinstance(node, Array) else [node]:
            text = self.string(item)
            if item is not None and text is not None:
                yield item, text

    def duration(self, node: Node | None, subject: str, *, zero: bool = False) -> int | None:
        """The seconds of a duration, or None."""
        return self._quantity(node, subject, lambda text: parse_duration(text, zero=zero))

    def _quantity(self, node: Node | None, subject: str, parse: Callable[[str], int]) -> int | None:
        text = self.string(node)
        if text is None or node is None:
            return None
        try:
            return parse(text)
        except UnitError as error:
            self.findings.add("M004", node.span, f"`{subject}` is {quoted(text)}: {error.message}", error.fix)
            return None

    def quantity(self, node: Node | None, subject: str, parse: Callable[[str], int]) -> int | None:
        """The number that `parse` makes of a string; its UnitError becomes a finding."""
        return self._quantity(node, subject, parse)

    def path(self, node: Node | None, subject: str) -> str | None:
        """The absolute path of a string, or None."""
        text = self.string(node)
        if text is None or node is None:
            return None
        try:
            return expand(text, self.root, self.home)
        except PathError as error:
            self.findings.add(
                error.code, node.span, f"`{subject}` has {quoted(text)}: {error.message}", error.fix
            )
            return None

    def program(self, node: Node, subject: str) -> str | None:
        """The first word of a command: a path is made absolute, a bare name is left for the PATH."""
        text = self.string(node)
        if text is None:
            return None
        if not text.strip():
            self.findings.add(
                "M004", node.span, f"the program in `{subject}` has no name", "write a program first"
            )
            return None
        if text.startswith("-"):
            message = (
                f"the program of `{subject}` is {quoted(text)}: a name with a dash first reads as an option"
            )
            self.findings.add("M004", node.span, message, f"write its path, such as {quoted('./' + text)}")
            return None
        return self.path(node, subject) if "/" in text or text[0] in "~$" or CONTROL.search(text) else text

    def argv(self, node: Node | None, subject: str) -> tuple[str, ...] | None:
        """The words of a command, the program's path made absolute; None if anything is wrong with it."""
        if not isinstance(node, Array) or not node.items:
            return None
        if len(node.items) == 1 and self._whole_line(node.items[0], subject):
            return None
        program = self.program(node.items[0], subject)
        rest = [self.string(item) for item in node.items[1:]]
        if program is None or any(word is None for word in rest):
            return None
        return (program, *(word for word in rest if word is not None))

    def _whole_line(self, node: Node, subject: str) -> bool:
        """Whether the only word of a command is a whole command line; that is noted."""
        text = (self.string(node) or "").strip()
        first, *rest = text.split() or [""]
        # "/Applications/My App/run" is a path with a blank; what follows the blank of a command line is none.
        if not rest or ("/" in first and not any(word.startswith("-") for word in rest)):
            return False
        words = ", ".join(quoted(word) for word in text.split())
        message = f"{quoted(text)} is a whole command line in one word"
        fix = f"write one word per entry: [{words}], or take the brackets away for /bin/sh"
        self.findings.add("M004", node.span, message, fix if subject == "run" else f"write [{words}]")
        return True
