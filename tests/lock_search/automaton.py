"""Programs as automata: a node is all that a program knows at one moment, and asks for one step.

Nodes are learned when the search first needs them and are small numbers from then on. Two states of a program are one
node only if the same program has seen the same answers since it last began a phase with the same arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable
from typing import Any

from tests.lock_search.folder import Answer, Request

ENDED = -1
"""The node of a program that is over, or was killed."""


class Automaton(ABC):
    """One starter in one round. `name` is what `lives` asks for; two rounds of one starter are two automata."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def begin(self) -> tuple[Hashable, Request]:
        """The key of the first state and what it asks for."""

    @abstractmethod
    def go_on(self, key: Hashable, answer: Answer) -> tuple[Hashable, Request]:
        """The same for the state that follows when `answer` comes."""


class Table:
    """The nodes of all automata of a search, by number."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.owners: list[Automaton] = []
        self.following: list[dict[Answer, int]] = []
        self._keys: list[Hashable] = []
        self._numbers: dict[tuple[int, Hashable], int] = {}

    def begin(self, automaton: Automaton) -> int:
        """The first node of an automaton."""
        return self._number(automaton, *automaton.begin())

    def go_on(self, node: int, answer: Answer) -> int:
        """The node that follows."""
        known = self.following[node]
        if answer not in known:
            automaton = self.owners[node]
            known[answer] = self._number(automaton, *automaton.go_on(self._keys[node], answer))
        return known[answer]

    def _number(self, automaton: Automaton, key: Hashable, request: Request) -> int:
        number = self._numbers.setdefault((id(automaton), key), len(self.requests))
        if number == len(self.requests):
            self.requests.append(request)
            self.owners.append(automaton)
            self.following.append({})
            self._keys.append(key)
        return number


Steps = Generator[Request, Any, "Phase"]
Phase = tuple[Callable[..., Steps], tuple[Hashable, ...]]
"""A generator function and its arguments. What it returns is the next phase: nothing else is remembered."""


def end(word: str) -> Steps:
    """The phase in which a program is over."""
    while True:
        yield Request("end", word)


class Phases(Automaton):
    """A program written as generator functions, each of which returns the next phase."""

    def __init__(self, name: str, first: Phase) -> None:
        super().__init__(name)
        self._first = first

    def begin(self) -> tuple[Hashable, Request]:
        return self._enter(self._first)

    def go_on(self, key: Hashable, answer: Answer) -> tuple[Hashable, Request]:
        assert isinstance(key, tuple)
        phase, answers = key
        function, arguments = phase
        steps = function(*arguments)
        next(steps)
        answers = (*answers, answer)
        try:
            for earlier in answers:
                request = steps.send(earlier)
        except StopIteration as stop:
            return self._enter(stop.value)
        return (phase, answers), request

    @staticmethod
    def _enter(phase: Phase) -> tuple[Hashable, Request]:
        function, arguments = phase
        return (phase, ()), next(function(*arguments))
