"""Reading simple commands: blanks, comments, here-documents, redirects, assignments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobs.read.shell.tree import Assignment, Command, HereDocument, Part, Redirect, Word
from jobs.read.shell.words import NotUnderstoodError, WordReader

BLANKS = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
COMMENT = re.compile(r"#[^\n]*")
REDIRECT = re.compile(
    r"(\d+|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<>|<&|>&|>>\||>>|>\||>!(?=\s)|<(?!\()|>(?!\())"
)
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\+?=)")
SUBSCRIPT = re.compile(r"([A-Za-z_]\w*)\[([^\]\n]*)\](\+?=)")
DECLARING = frozenset({"declare", "typeset", "local", "export", "readonly", "integer", "float"})
ENDS = frozenset("\n;&|)")
BLANK_OR_COMMENT = frozenset(" \t\r\\#")


@dataclass(frozen=True, slots=True)
class Fault:
    """A stretch of the text that cannot be read as shell."""

    start: int
    end: int
    message: str


class LineReader(WordReader):
    """A cursor that reads simple commands. `faults` and `comments` collect what is met on the way."""

    def __init__(self, text: str, base: int = 0, depth: int = 0) -> None:
        super().__init__(text, base, depth)
        self.faults: list[Fault] = []
        self.comments: list[tuple[int, int]] = []
        self.waiting: list[tuple[Redirect, str, bool, bool]] = []

    # blanks and line ends

    def blanks(self) -> None:
        """Skip blanks, continued lines and a comment, but not the line end."""
        text = self.text
        if text[self.at : self.at + 1] not in BLANK_OR_COMMENT:
            return
        match = BLANKS.match(text, self.at)
        if match:
            self.at = match.end()
        if text.startswith("#", self.at) and (self.at == 0 or text[self.at - 1] in " \t\n;&|()`{}\r"):
            comment = COMMENT.match(text, self.at)
            if comment:
                self.comments.append((self.at + self.base, comment.end() + self.base))
                self.at = comment.end()

    def lines(self) -> None:
        """Skip blanks, comments and line ends; the bodies of here-documents are read at their line end."""
        while True:
            self.blanks()
            if not self.text.startswith("\n", self.at):
                return
            self.at += 1
            if self.waiting:
                self._documents()

    def _documents(self) -> None:
        waiting, self.waiting = self.waiting, []
        for redirect, delimiter, expands, strip in waiting:
            start = self.at
            end, after = self._document_end(start, delimiter, strip=strip)
            if expands:
                reader = type(self)(self.text[start:end], self.base + start, self.depth)
                parts: list[Part] = []
                try:
                    reader.quoted_until(parts, "")
                except NotUnderstoodError as error:
                    self.faults.append(Fault(error.start, end + self.base, str(error)))
                self.faults += reader.faults
            else:
                parts = [
                    Part("literal", self.text[start:end], start + self.base, end + self.base, quoted=True)
                ]
            body = Word(tuple(parts), self.text[start:end], start + self.base, end + self.base)
            redirect.document = HereDocument(body, expands, delimiter, strip)
            self.at = after

    def _document_end(self, start: int, delimiter: str, *, strip: bool) -> tuple[int, int]:
        tabs = r"\t*" if strip else ""
        match = re.compile(rf"^{tabs}{re.escape(delimiter)}\r?$", re.MULTILINE).search(self.text, start)
        if match is None:
            return len(self.text), len(self.text)
        return match.start(), match.end()

    # simple commands

    def redirect_list(self) -> list[Redirect]:
        """The redirects that stand here."""
        found: list[Redirect] = []
        while True:
            self.blanks()
            match = REDIRECT.match(self.text, self.at)
            if match is None:
                return found
            found.append(self._redirect(match))

    def _redirect(self, match: re.Match[str]) -> Redirect:
        start = self.at
        fd, operator = match.group(1) or "", match.group(2)
        self.at = match.end()
        self.blanks()
        if self.at >= len(self.text) or self.text[self.at] in ENDS:
            raise NotUnderstoodError(start + self.base, f"{operator!r} without a target")
        target = self.word()
        found = Redirect(operator, fd.strip("{}"), target, start + self.base, self.at + self.base)
        if operator in ("<<", "<<-"):
            delimiter = "".join(part.text for part in target.parts if part.kind == "literal")
            expands = not any(part.quoted for part in target.parts)
            self.waiting.append((found, delimiter, expands, operator == "<<-"))
        return found

    def simple(self) -> Command:
        """The simple command that begins here. Raises NotUnderstoodError when there is none."""
        text, length, start = self.text, len(self.text), self.at
        words: list[Word] = []
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        end = start
        while True:
            self.blanks()
            at = self.at
            if at >= length or text[at] in ENDS:
                if text.startswith("&>", at):
                    pass
                else:
                    break
            match = REDIRECT.match(text, at)
            if match is not None:
                redirects.append(self._redirect(match))
            elif (not words or words[0].literal in DECLARING) and self._assignment(assignments):
                pass
            else:
                word = self.word()
                if self.at == at:
                    raise NotUnderstoodError(at + self.base, f"unexpected {text[at]!r}")
                words.append(word)
            end = self.at
        if not (words or assignments or redirects):
            raise NotUnderstoodError(start + self.base, "a command is missing")
        command = Command(start + self.base, end + self.base, tuple(words), tuple(assignments))
        command.redirects = tuple(redirects)
        return command

    def _assignment(self, found: list[Assignment]) -> bool:
        text, start = self.text, self.at
        match = ASSIGNMENT.match(text, start)
        subscript = ""
        if match is None:
            match = SUBSCRIPT.match(text, start)
            if match is None:
                return False
            subscript = match.group(2)
        self.at = match.end()
        value = self._array() if text.startswith("(", self.at) else self.word()
        append = match.groups()[-1] == "+="
        found.append(
            Assignment(
                match.group(1),
                value,
                start + self.base,
                self.at + self.base,
                append=append,
                subscript=subscript,
            )
        )
        return True

    def _array(self) -> Word:
        start = self.at
        self.at += 1
        elements: list[Word] = []
        while True:
            self.lines()
            at = self.at
            if at >= len(self.text):
                raise NotUnderstoodError(start + self.base, "an array that is not closed")
            if self.text[at] == ")":
                self.at = at + 1
                return Word(
                    (), self.text[start : self.at], start + self.base, self.at + self.base, tuple(elements)
                )
            element = self.word()
            if self.at == at:
                raise NotUnderstoodError(at + self.base, f"unexpected {self.text[at]!r} in an array")
            elements.append(element)
