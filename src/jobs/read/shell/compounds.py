"""Reading compound commands: if, loops, case, groups, functions, tests."""

from __future__ import annotations

import re

from jobs.read.shell.lines import LineReader
from jobs.read.shell.tree import Block, Case, Command, Function, Group, If, Loop, Node, Part, Word
from jobs.read.shell.words import NAME, NotUnderstoodError

RESERVED = re.compile(r"[A-Za-z]+(?=[\s;&|()<>]|$)|[{}!](?=[\s;&|)<>]|$)|\{(?=[\w\"'])|\[\[(?=\s)|\(\(|\(")
CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
CASE_END = re.compile(r";;&|;;|;&|;\|")
TEST_OPERATOR = re.compile(r"&&|\|\||[()<>]|!(?=\s)")
BODY_FOLLOWS = re.compile(r"[ \t\n]*\{")
VISIBLE = re.compile(r"\S{1,20}")


class CompoundReader(LineReader):
    """A cursor that reads compound commands; lists and blocks are given by the reader built on it."""

    def block(self, closing: str) -> Block:
        """The statements up to a closer."""
        raise NotImplementedError

    def command(self) -> Node:
        """One command of any kind."""
        raise NotImplementedError

    def block_until(self, closing: str) -> Block:
        """The statements up to a closing character, which is left."""
        return self.block(closing)

    def _here(self) -> str:
        match = VISIBLE.match(self.text, self.at)
        return match.group() if match else "end of file"

    def _expect(self, word: str, start: int) -> None:
        self.lines()
        match = RESERVED.match(self.text, self.at)
        if match is None or match.group() != word:
            raise NotUnderstoodError(start + self.base, f"{word!r} is missing before {self._here()!r}")
        self.at += len(word)

    def _compound(self, word: str, start: int) -> Node | None:
        reader = {
            "if": self._if,
            "while": self._while,
            "until": self._while,
            "for": self._for,
            "select": self._for,
            "foreach": self._for,
            "case": self._case,
            "function": self._function,
            "{": self._braces_group,
            "(": self._parentheses,
            "((": self._arithmetic_command,
            "[[": self._test,
        }.get(word)
        if reader is None:
            if word in CLOSERS:
                raise NotUnderstoodError(start + self.base, f"{word!r} without its beginning")
            return None
        self.deeper(start)
        node = reader(start)
        self.depth -= 1
        return node

    def _braces_group(self, start: int) -> Node:
        self.at += 1
        body = self.block("}")
        self._expect("}", start)
        return Group(start + self.base, self.at + self.base, body, subshell=False)

    def _parentheses(self, start: int) -> Node:
        self.at += 1
        body = self.block(")")
        if not self.text.startswith(")", self.at):
            raise NotUnderstoodError(start + self.base, "a ( that is not closed")
        self.at += 1
        if not body.items and BODY_FOLLOWS.match(self.text, self.at):  # zsh: an anonymous function
            self.blanks()
            return self.command()
        return Group(start + self.base, self.at + self.base, body, subshell=True)

    def _arithmetic_command(self, start: int) -> Node:
        inner: list[Part] = []
        if not self.arithmetic(start + 2, inner):
            return self._parentheses(start)
        base, end = self.base, self.at
        text = self.text[start + 2 : end - 2]
        opening = Word(
            (Part("literal", "((", start + base, start + 2 + base),), "((", start + base, start + 2 + base
        )
        part = Part("arithmetic", text, start + 2 + base, end - 2 + base, inner=tuple(inner))
        return Command(
            start + base, end + base, (opening, Word((part,), text, start + 2 + base, end - 2 + base))
        )

    def _test(self, start: int) -> Node:
        words: list[Word] = [self._mark(start, start + 2)]
        self.at = start + 2
        text, length = self.text, len(self.text)
        regex = False
        while True:
            self.lines()
            at = self.at
            if at >= length:
                raise NotUnderstoodError(start + self.base, "a [[ that is not closed")
            if text.startswith("]]", at) and (at + 2 >= length or text[at + 2] in " \t\r\n;&|)<>"):
                self.at = at + 2
                words.append(self._mark(at, at + 2))
                return Command(start + self.base, self.at + self.base, tuple(words))
            operator = TEST_OPERATOR.match(text, at)
            if operator and not (regex and operator.group() == "("):
                self.at = operator.end()
                words.append(self._mark(at, self.at))
                continue
            word = self._regex() if regex else self.word()
            regex = not regex and word.literal in ("=~", "==", "=", "!=")
            if self.at == at:
                raise NotUnderstoodError(at + self.base, f"unexpected {self._here()!r} in [[ ]]")
            words.append(word)

    def _regex(self) -> Word:
        """The pattern behind =~ or ==, in which parentheses and bars are plain."""
        start, parts = self.at, list[Part]()
        text, length, level = self.text, len(self.text), 0
        while self.at < length:
            char = text[self.at]
            if (
                char == "\n"
                or (char in " \t" and level == 0)
                or (char in "&|" and level == 0 and text[self.at + 1 : self.at + 2] == char)
            ):
                break
            if char in "(|)<>;& \t":
                level += {"(": 1, ")": -1}.get(char, 0)
                parts.append(Part("literal", char, self.at + self.base, self.at + 1 + self.base))
                self.at += 1
                continue
            before = self.at
            parts += self.word(stops="(|)<>;&").parts
            if self.at == before:
                break
        return Word(tuple(parts), text[start : self.at], start + self.base, self.at + self.base)

    def _mark(self, start: int, end: int) -> Word:
        base, text = self.base, self.text[start:end]
        return Word((Part("literal", text, start + base, end + base),), text, start + base, end + base)

    def _if(self, start: int) -> Node:
        arms: list[tuple[Block, Block]] = []
        otherwise: Block | None = None
        self.at = start + 2
        while True:
            condition = self.block("")
            if self._take("{"):  # zsh
                branch = self.block("}")
                self._expect("}", start)
                arms.append((condition, branch))
                break
            self._expect("then", start)
            arms.append((condition, self.block("")))
            if self._take("elif"):
                continue
            if self._take("else"):
                otherwise = self.block("")
            self._expect("fi", start)
            break
        return If(start + self.base, self.at + self.base, arms, otherwise)

    def _take(self, word: str) -> bool:
        self.lines()
        match = RESERVED.match(self.text, self.at)
        if match is None or match.group() != word:
            return False
        self.at += len(word)
        return True

    def _while(self, start: int) -> Node:
        self.at = start + 5
        condition = self.block("")
        body = self._body(start)
        return Loop(
            start + self.base, self.at + self.base, self.text[start : start + 5], condition, "", (), body
        )

    def _body(self, start: int) -> Block:
        if self._take("{"):
            body = self.block("}")
            self._expect("}", start)
            return body
        self._expect("do", start)
        body = self.block("")
        self._expect("done", start)
        return body

    def _for(self, start: int) -> Node:
        kind = self._reserved_name()
        self.blanks()
        if self.text.startswith("((", self.at):
            if not self._for_arithmetic():
                raise NotUnderstoodError(start + self.base, "a for (( that is not closed")
            self.blanks()
            if self.text.startswith(";", self.at):
                self.at += 1
            body = self._body(start)
            return Loop(start + self.base, self.at + self.base, kind, None, "", (), body)
        match = NAME.match(self.text, self.at) or re.compile(r"\d+").match(self.text, self.at)
        if match is None:
            raise NotUnderstoodError(start + self.base, f"{kind} needs a name, not {self._here()!r}")
        self.at = match.end()
        self.lines()
        values: list[Word] = []
        if self.text.startswith("in", self.at) and self.text[self.at + 2 : self.at + 3] in " \t\n;\\":
            self.at += 2
            self._values(values, ";\n")
        elif self.text.startswith("(", self.at):  # zsh
            self.at += 1
            self._values(values, ")")
            self.at += 1
        self.blanks()
        if self.text.startswith(";", self.at):
            self.at += 1
        body = self._body(start)
        return Loop(start + self.base, self.at + self.base, kind, None, match.group(), tuple(values), body)

    def _values(self, values: list[Word], ends: str) -> None:
        while True:
            self.blanks()
            at = self.at
            if at >= len(self.text) or self.text[at] in ends:
                return
            word = self.word()
            if self.at == at:
                raise NotUnderstoodError(at + self.base, f"unexpected {self.text[at]!r}")
            values.append(word)

    def _for_arithmetic(self) -> bool:
        level, at, text = 0, self.at, self.text
        while at < len(text) and text[at] != "\n":
            level += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if level == 0:
                self.at = at
                return True
        return False

    def _reserved_name(self) -> str:
        match = RESERVED.match(self.text, self.at)
        word = match.group() if match else ""
        self.at += len(word)
        return word

    def _case(self, start: int) -> Node:
        self.at = start + 4
        self.blanks()
        subject = self.word()
        if not self._take("in") and not self._take("{"):
            raise NotUnderstoodError(start + self.base, "case without in")
        items: list[tuple[tuple[Word, ...], Block, str]] = []
        while not self._take("esac") and not self._take("}"):
            patterns = self._patterns(start)
            block = self.block("")
            self.lines()
            ending = CASE_END.match(self.text, self.at)
            if ending is not None:
                self.at = ending.end()
            items.append((patterns, block, ending.group() if ending else ""))
            if ending is None:
                if not self._take("esac"):
                    raise NotUnderstoodError(start + self.base, f"esac is missing before {self._here()!r}")
                break
        return Case(start + self.base, self.at + self.base, subject, items)

    def _patterns(self, start: int) -> tuple[Word, ...]:
        patterns: list[Word] = []
        if self.text.startswith("(", self.at):
            self.at += 1
        while True:
            self.lines()
            at = self.at
            if at >= len(self.text):
                raise NotUnderstoodError(start + self.base, "case without esac")
            if self.text[at] == ")":
                self.at = at + 1
                return tuple(patterns)
            if self.text[at] == "|":
                self.at = at + 1
                continue
            word = self.word()
            if self.at == at:
                raise NotUnderstoodError(at + self.base, f"unexpected {self.text[at]!r} in a pattern")
            patterns.append(word)

    def _function(self, start: int) -> Node:
        self.at = start + 8
        self.blanks()
        name = self.word()
        self.blanks()
        if self.text.startswith("(", self.at):
            closing = self.text.find(")", self.at)
            if closing < 0 or self.text[self.at + 1 : closing].strip():
                raise NotUnderstoodError(start + self.base, "a function's parentheses must be empty")
            self.at = closing + 1
        return self.function_body(name.literal or "", start)

    def function_body(self, name: str, start: int) -> Node:
        """The definition of a function whose name and parentheses are read."""
        self.lines()
        self.deeper(start)
        body = self.command()
        self.depth -= 1
        return Function(start + self.base, body.end, name, body)
