"""Reading words: quotes, expansions, substitutions."""

from __future__ import annotations

import re

from jobs.read.shell.tree import Block, Part, Word

MAX_DEPTH = 60  # nested substitutions, groups and expansions; beyond it a script is not understood

PLAIN = re.compile(r"[^\s;&|<>()$`\"'\\]+")
IN_QUOTES = re.compile(r"[^\"\\$`]+")
IN_BRACES = re.compile(r"[^}\\'\"$`]+")
DIGITS = re.compile(r"\d+")
NAME = re.compile(r"[A-Za-z_]\w*")
SPECIAL = re.compile(r"[@*#?$!_-]|\d")
OPERATORS = re.compile(r":[-=+?]|[-=+?]|##?|%%?|//?|\^\^?|,,?|@[A-Za-z]|:|\[")
QUOTE_IS_PLAIN = frozenset({"-", ":-", "+", ":+", "=", ":=", "?", ":?"})
ANSI_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "e": "\x1b"}
ANSI_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
BACKQUOTE_ESCAPE = re.compile(r"\\([`$\\])")


class NotUnderstoodError(Exception):
    """The text from `start` on cannot be read as shell."""

    def __init__(self, start: int, message: str) -> None:
        super().__init__(message)
        self.start = start


class WordReader:
    """A cursor over the text that reads words. `base` is the text's own offset in the file."""

    def __init__(self, text: str, base: int = 0, depth: int = 0) -> None:
        self.text = text
        self.base = base
        self.at = 0
        self.depth = depth
        self.not_arithmetic: set[int] = set()

    def block_until(self, closing: str) -> Block:
        """The statements up to a closing character; given by the statement reader."""
        raise NotImplementedError

    def nested(self, text: str, base: int) -> Block:
        """The statements of a text inside of the text (backquotes); given by the statement reader."""
        raise NotImplementedError

    def deeper(self, start: int) -> None:
        """Count a level of nesting. Raises NotUnderstoodError when there are too many."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotUnderstoodError(start + self.base, "nested too deeply")

    def word(self, stops: str = "") -> Word:
        """The word that begins here. `stops` are characters that end it beside the shell's own."""
        text, start = self.text, self.at
        match = PLAIN.match(text, start)
        if match and not stops:
            end = match.end()
            if end >= len(text) or text[end] in " \n\t;|)":
                self.at = end
                value = match.group()
                return Word(
                    (Part("literal", value, start + self.base, end + self.base),),
                    value,
                    start + self.base,
                    end + self.base,
                )
        parts: list[Part] = []
        self._parts(parts, stops)
        end = self.at
        return Word(tuple(parts), text[start:end], start + self.base, end + self.base)

    def _parts(self, parts: list[Part], stops: str) -> None:
        text, length = self.text, len(self.text)
        while self.at < length:
            at = self.at
            char = text[at]
            if char in stops or char in " \t\n;&|":
                return
            if char in "<>":
                if text[at + 1 : at + 2] != "(":
                    return
                self._substitution(parts, at, at + 2, "process", quoted=False)
            elif char == "(":
                if not parts or text[at - 1] not in "?*+@!=^$/])}":
                    return
                self._glob_group(parts)
            elif char == ")":
                return
            elif char == "\\":
                self._escape(parts)
            elif char == "'":
                self._single(parts)
            elif char == '"':
                self._double(parts)
            elif char == "$":
                self.dollar(parts, quoted=False)
            elif char == "`":
                self._backquote(parts, quoted=False)
            else:
                match = PLAIN.match(text, at)
                end = match.end() if match else at + 1
                if stops:
                    for index in range(at, end):
                        if text[index] in stops:
                            end = index
                            break
                self._literal(parts, text[at:end], at, end)
                self.at = end

    def _literal(self, parts: list[Part], value: str, start: int, end: int, *, quoted: bool = False) -> None:
        if parts and parts[-1].kind == "literal" and parts[-1].quoted == quoted:
            last = parts[-1]
            last.text += value
            last.end = end + self.base
        else:
            parts.append(Part("literal", value, start + self.base, end + self.base, quoted=quoted))

    def _glob_group(self, parts: list[Part]) -> None:
        """An extended pattern or a zsh qualifier: taken as it stands."""
        start, level = self.at, 0
        text, length = self.text, len(self.text)
        while self.at < length:
            char = text[self.at]
            if char == "\\":
                self.at += 2
                continue
            if char == "'":
                self._single([])
                continue
            if char == '"':
                self._double([])
                continue
            if char == "$":
                self.dollar([], quoted=False)
                continue
            if char == "\n":
                break
            self.at += 1
            if char == "(":
                level += 1
            elif char == ")":
                level -= 1
                if level == 0:
                    self._literal(parts, text[start : self.at], start, self.at)
                    return
        raise NotUnderstoodError(start + self.base, "a parenthesis that is not closed")

    def _escape(self, parts: list[Part]) -> None:
        at = self.at
        following = self.text[at + 1 : at + 2]
        self.at = min(at + 2, len(self.text))
        if following != "\n":
            self._literal(parts, following or "\\", at, self.at, quoted=True)

    def _single(self, parts: list[Part]) -> None:
        start = self.at
        end = self.text.find("'", start + 1)
        if end < 0:
            raise NotUnderstoodError(start + self.base, "a single quote that is not closed")
        self._literal(parts, self.text[start + 1 : end], start, end + 1, quoted=True)
        self.at = end + 1

    def _ansi(self, parts: list[Part]) -> None:
        start = self.at
        at, length = start + 2, len(self.text)
        while at < length and self.text[at] != "'":
            at += 2 if self.text[at] == "\\" else 1
        if at >= length:
            raise NotUnderstoodError(start + self.base, "a single quote that is not closed")
        value = ANSI_ESCAPE.sub(lambda m: ANSI_ESCAPES.get(m.group(1), m.group()), self.text[start + 2 : at])
        self._literal(parts, value, start, at + 1, quoted=True)
        self.at = at + 1

    def _double(self, parts: list[Part]) -> None:
        start = self.at
        self.at += 1
        if self.text[self.at : self.at + 1] == '"':
            self._literal(parts, "", start, self.at + 1, quoted=True)
        self.quoted_until(parts, '"')
        if self.at >= len(self.text):
            raise NotUnderstoodError(start + self.base, "a double quote that is not closed")
        self.at += 1

    def quoted_until(self, parts: list[Part], closing: str) -> None:
        """Read as inside of double quotes up to `closing`, or to the end of the text when that is ""."""
        text, length = self.text, len(self.text)
        while self.at < length:
            at = self.at
            char = text[at]
            if char == closing:
                return
            if char == "\\":
                following = text[at + 1 : at + 2]
                self.at = min(at + 2, length)
                if following != "\n":
                    kept = following if following in '$`"\\' else "\\" + following
                    self._literal(parts, kept, at, self.at, quoted=True)
            elif char == "$":
                self.dollar(parts, quoted=True)
            elif char == "`":
                self._backquote(parts, quoted=True)
            elif char == '"':
                self._literal(parts, char, at, at + 1, quoted=True)
                self.at = at + 1
            else:
                match = IN_QUOTES.match(text, at)
                end = match.end() if match else at + 1
                self._literal(parts, text[at:end], at, end, quoted=True)
                self.at = end

    def dollar(self, parts: list[Part], *, quoted: bool) -> None:
        """Read what a `$` begins."""
        text, at = self.text, self.at
        following = text[at + 1 : at + 2]
        if following == "{":
            self._braces(parts, quoted=quoted)
        elif following == "(":
            if text[at + 2 : at + 3] == "(" and at not in self.not_arithmetic:
                inner: list[Part] = []
                if self.arithmetic(at + 3, inner):
                    parts.append(self._part("arithmetic", text[at + 3 : self.at - 2], at, quoted, inner))
                    return
                self.not_arithmetic.add(at)
            self._substitution(parts, at, at + 2, "command", quoted=quoted)
        elif following == "'" and not quoted:
            self._ansi(parts)
        elif following == '"' and not quoted:
            self.at += 1
            self._double(parts)
        else:
            match = NAME.match(text, at + 1) or SPECIAL.match(text, at + 1)
            if match is None:
                self._literal(parts, "$", at, at + 1, quoted=quoted)
                self.at = at + 1
                return
            self.at = match.end()
            parts.append(self._part("variable", match.group(), at, quoted, []))

    def _part(self, kind: str, text: str, start: int, quoted: bool, inner: list[Part]) -> Part:
        return Part(
            "variable" if kind == "variable" else "arithmetic",
            text,
            start + self.base,
            self.at + self.base,
            quoted=quoted,
            inner=tuple(inner),
        )

    def _substitution(self, parts: list[Part], start: int, inside: int, kind: str, *, quoted: bool) -> None:
        self.deeper(start)
        self.at = inside
        block = self.block_until(")")
        if self.text[self.at : self.at + 1] != ")":
            raise NotUnderstoodError(start + self.base, "a command substitution that is not closed")
        self.at += 1
        self.depth -= 1
        text = self.text[inside : self.at - 1]
        found = Part(
            "process" if kind == "process" else "command",
            text,
            start + self.base,
            self.at + self.base,
            quoted=quoted,
            block=block,
        )
        parts.append(found)

    def _backquote(self, parts: list[Part], *, quoted: bool) -> None:
        start = self.at
        at, length = start + 1, len(self.text)
        while at < length and self.text[at] != "`":
            at += 2 if self.text[at] == "\\" else 1
        if at >= length:
            raise NotUnderstoodError(start + self.base, "a backquote that is not closed")
        inside = self.text[start + 1 : at]
        self.deeper(start)
        # A blank takes the place of each backslash, so that positions stay what they are in the file.
        block = self.nested(BACKQUOTE_ESCAPE.sub(r" \1", inside), self.base + start + 1)
        self.depth -= 1
        self.at = at + 1
        parts.append(
            Part("command", inside, start + self.base, self.at + self.base, quoted=quoted, block=block)
        )

    def arithmetic(self, start: int, inner: list[Part]) -> bool:
        """Whether an arithmetic expression begins at `start` and ends in `))`; the cursor is then behind it."""
        text, length = self.text, len(self.text)
        before, self.at, level = self.at, start, 0
        self.deeper(start)
        found = False
        while self.at < length:
            char = text[self.at]
            if char == "(":
                level += 1
            elif char == ")":
                if level == 0:
                    found = text[self.at + 1 : self.at + 2] == ")"
                    break
                level -= 1
            elif char == "$":
                self.dollar(inner, quoted=True)
                continue
            elif char == "`":
                self._backquote(inner, quoted=True)
                continue
            elif char in ";\\'" or (char == "#" and text[self.at - 1] in " \t\n"):
                if char not in {"\\", "'"}:
                    break
            elif char.isalpha() or char == "_":
                match = NAME.match(text, self.at)
                if match:
                    inner.append(
                        Part("variable", match.group(), self.at + self.base, match.end() + self.base)
                    )
                    self.at = match.end()
                    continue
            self.at += 1
        self.depth -= 1
        if found:
            self.at += 2
        else:
            self.at = before
        return found

    def _braces(self, parts: list[Part], *, quoted: bool) -> None:
        start = self.at
        self.deeper(start)
        text, length = self.text, len(self.text)
        at = start + 2
        prefix = ""
        if text[at : at + 1] in "!#" and text[at + 1 : at + 2] not in ("}", ""):
            prefix = text[at]
            at += 1
        elif text[at : at + 1] == "(":  # zsh flags: ${(f)name}
            closing = text.find(")", at)
            at = closing + 1 if closing > 0 else at
            prefix = "("
        match = NAME.match(text, at) or DIGITS.match(text, at) or SPECIAL.match(text, at)
        name = match.group() if match else ""
        at = match.end() if match else at
        operator_match = OPERATORS.match(text, at)
        operator = operator_match.group() if operator_match else ""
        self.at = operator_match.end() if operator_match else at
        inner: list[Part] = []
        rest_start = self.at
        single_is_plain = quoted and operator in QUOTE_IS_PLAIN
        while self.at < length and text[self.at] != "}":
            char = text[self.at]
            if char == "\\":
                self.at += 2
            elif char == "'" and not single_is_plain:
                self._single(inner)
            elif char == '"':
                self._double(inner)
            elif char == "$":
                self.dollar(inner, quoted=quoted)
            elif char == "`":
                self._backquote(inner, quoted=quoted)
            else:
                run = IN_BRACES.match(text, self.at)
                end = run.end() if run else self.at + 1
                self._literal(inner, text[self.at : end], self.at, end, quoted=quoted)
                self.at = end
        if self.at >= length:
            raise NotUnderstoodError(start + self.base, "a ${ that is not closed")
        rest = text[rest_start : self.at]
        self.at += 1
        self.depth -= 1
        found = Part(
            "variable",
            name,
            start + self.base,
            self.at + self.base,
            quoted=quoted,
            operator=prefix + operator if prefix else operator,
            rest=rest,
            inner=tuple(inner),
        )
        parts.append(found)
