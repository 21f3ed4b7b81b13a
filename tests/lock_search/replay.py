"""Schedules of a search, played by real shells at once on a real folder, with the real ln, readlink and rm.

The search believes folder.py about what a step does. Here the shells take the steps themselves, in the order of a
schedule, and everything they find has to be what the search found.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.lock_search.automaton import ENDED
from tests.lock_search.explore import CRASH, FIRST, Edge, Search, State
from tests.lock_search.folder import Answer, Entries, Request
from tests.lock_search.shell import Shell, as_request


@dataclass
class Graph:
    """All states of a search and the steps between them: each path from the first to an end is a schedule."""

    edges: dict[State, list[Edge]] = field(default_factory=dict)
    _backwards: list[State] = field(default_factory=list)

    def note(self, state: State, edges: list[Edge]) -> None:
        """For Search.run(look=...)."""
        self.edges[state] = edges

    def count_schedules(self, first: State) -> int:
        """The number of different schedules. Called before covering_schedules; finds circles, which would never end."""
        counts: dict[State, int] = {}
        open_states = [first]
        while open_states:
            state = open_states[-1]
            missing = [edge.state for edge in self.edges[state] if edge.state not in counts]
            if missing:
                assert len(open_states) < len(self.edges), "a starter can go round in a circle"
                open_states.extend(missing[:1])
                continue
            counts[state] = sum(counts[edge.state] for edge in self.edges[state]) or 1
            open_states.pop()
        self._backwards = list(counts)
        return counts[first]

    def covering_schedules(self, first: State, dice: random.Random, limit: int) -> Iterator[list[Edge]]:
        """Schedules that together take every step of the graph, or as many as `limit` schedules can."""
        untaken = {state: list(edges) for state, edges in self.edges.items()}
        for _ in range(limit):
            promising = self._before(untaken)
            if first not in promising:
                return
            state, schedule = first, list[Edge]()
            while edges := self.edges[state]:
                ways = untaken[state] or [edge for edge in edges if edge.state in promising] or edges
                edge = dice.choice(ways)
                if untaken[state]:
                    untaken[state].remove(edge)
                schedule.append(edge)
                state = edge.state
            yield schedule

    def _before(self, untaken: dict[State, list[Edge]]) -> set[State]:
        """The states from which a step can be reached that no schedule has taken."""
        promising: set[State] = set()
        for state in self._backwards:
            if untaken[state] or any(edge.state in promising for edge in self.edges[state]):
                promising.add(state)
        return promising


def play(search: Search, schedule: list[Edge], folder: Path) -> None:
    """Play a schedule on a new folder; then a fresh starter has to get the lock.

    A starter that crashes is left where it is: no step of it comes any more, and it counts as dead.
    """
    folder.mkdir()
    for name, content in search.setting.folder:
        (folder / name).symlink_to(content)
    starters = [list(rounds) for rounds in search.setting.starters]
    asking: dict[int, Request] = {}
    state = search.first()
    for edge in schedule:
        shell = as_shell(starters[edge.starter][0])
        if edge.what == CRASH:
            asking.pop(edge.starter, None)
            shell.stop_round()
            state = edge.state
            continue
        request = asking.pop(edge.starter, None) or shell.start_round(folder)
        assert request == search.request(state, edge.starter)
        answer = search.answer(state, edge.starter)
        request = take(shell, request, answer, ours=pids(search))
        if request.kind == "end":
            starters[edge.starter].pop(0)
            shell.stop_round()
        else:
            asking[edge.starter] = request
        state = edge.state
        assert sum(request.kind == "hold" for request in asking.values()) <= 1
    assert all(node == ENDED for node in state[FIRST:])
    assert contents(folder) == search.entries(state)
    assert fresh_takes(search, folder)


def take(shell: Shell, request: Request, answer: Answer, *, ours: set[str]) -> Request:
    """Let the shell take one step, whose outcome has to be `answer`: its next request."""
    if request.kind in {"hold", "list", "sleep"}:
        shell.say("yes")
    elif request.kind == "lives" and request.name in ours:
        # The shell of a starter lives on for the next schedule; whether the starter does is up to the schedule.
        shell.say("yes" if answer else "no")
    else:
        shell.say("do")
        _, status, text = shell.hear().split(" ", 2)
        assert (text or None) == answer if request.kind == "read" else (status == "0") == answer
    return as_request(shell.hear())


def fresh_takes(search: Search, folder: Path) -> bool:
    """Whether one more starter, when all others have ended, gets the lock. It gives it back."""
    shell = as_shell(search.setting.fresh)
    request = shell.start_round(folder)
    held = False
    while request.kind != "end":
        held = held or request.kind == "hold"
        if request.kind in {"hold", "list", "lives"}:
            shell.say("no" if request.kind == "lives" else "yes")
        else:
            shell.say("do")
            shell.hear()
        request = as_request(shell.hear())
    shell.stop_round()
    return held and request.name == "done"


def pids(search: Search) -> set[str]:
    """The numbers of all shells of a search."""
    return {automaton.name for rounds in search.setting.starters for automaton in rounds}


def contents(folder: Path) -> Entries:
    """The links of a real folder."""
    return tuple(sorted((path.name, str(path.readlink())) for path in folder.iterdir()))


def as_shell(automaton: object) -> Shell:
    """The automaton, which is a shell."""
    assert isinstance(automaton, Shell)
    return automaton
