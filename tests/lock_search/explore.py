"""All interleavings of some starters, with crashes: is there ever a second holder, or a lock nobody can take?

Breadth first, so that the first counterexample found is a shortest one. A state is the folder, what every starter
knows, and how many crashes may still come; states that were seen are not gone through again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.lock_search.automaton import ENDED, Automaton, Table
from tests.lock_search.folder import NO_STEP, PROGRAM_STEPS, Answer, Entries, Request, perform

State = tuple[int, ...]
"""The number of the folder, crashes left, interruptions left, then one node for each starter."""

FIRST = 3
CRASH = "crash"
FRESH_STEPS = 200


@dataclass(frozen=True, slots=True)
class Setting:
    """Who starts (for each starter, its rounds), on what folder, and what may go wrong.

    An interruption is a signal that kills the program of one step (ln, rm), before or after it did its work: the
    shell sees a failure. `orphans`: a crashed starter's program carries on, and the look at the starter does not see
    it, as if the look were at the process alone and not at its group. `wedges_count`: a wedge is a violation, too.
    """

    starters: Sequence[Sequence[Automaton]]
    fresh: Automaton
    folder: Entries = ()
    crashes: int = 0
    interruptions: int = 0
    orphans: bool = False
    wedges_count: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    """One step of a schedule: who, what, the answer, and the state after it."""

    starter: int
    what: str
    state: State

    def __str__(self) -> str:
        return f"{'ABCDEFGH'[self.starter]}: {self.what}"


@dataclass
class Report:
    """What a search saw. `violation` is empty if all is well, else double, wedge or refused."""

    states: int = 0
    steps: int = 0
    folders: int = 0
    violation: str = ""
    trace: tuple[Edge, ...] = ()
    ends: int = 0

    def __str__(self) -> str:
        text = f"{self.states} states, {self.steps} steps, {self.folders} folders, {self.ends} ends"
        if not self.violation:
            return f"{text}: no double owner, no wedge"
        lines = "\n".join(f"  {number:2} {edge}" for number, edge in enumerate(self.trace, 1))
        return f"{text}: {self.violation} after {len(self.trace)} steps\n{lines}"


@dataclass
class Search:
    """One setting and what is known of it. `table` may be shared by searches with the same automata."""

    setting: Setting
    table: Table = field(default_factory=Table)

    def __post_init__(self) -> None:
        self._folders: list[Entries] = []
        self._numbers: dict[Entries, int] = {}
        self._performed: dict[tuple[int, int], tuple[int, Answer]] = {}
        self._firsts = {
            id(automaton): self.table.begin(automaton)
            for rounds in self.setting.starters
            for automaton in rounds
        }
        self._next_round = {
            id(one): self._firsts[id(other)]
            for rounds in self.setting.starters
            for one, other in pairwise(rounds)
        }
        self._fresh = self.table.begin(self.setting.fresh)

    def first(self) -> State:
        """The state in which nobody has done anything."""
        return (
            self._folder(self.setting.folder),
            self.setting.crashes,
            self.setting.interruptions,
            *(self._firsts[id(rounds[0])] for rounds in self.setting.starters),
        )

    def run(self, *, look: Callable[[State, list[Edge]], None] | None = None) -> Report:
        """Go through all states, or up to the first violation. `look` is shown each state and its edges."""
        report = Report()
        first = self.first()
        parents: dict[State, State | None] = {first: None}
        frontier = [first]
        judged: set[int] = set()
        while frontier:
            found = []
            for state in frontier:
                if self._judge(state, judged, report):
                    report.trace = self._trace(parents, state)
                    break
                edges = list(self.edges(state))
                report.steps += len(edges)
                report.ends += not edges
                if look is not None:
                    look(state, edges)
                for edge in edges:
                    if edge.state not in parents:
                        parents[edge.state] = state
                        found.append(edge.state)
            frontier = [] if report.violation else found
        report.states = len(parents)
        report.folders = len(self._folders)
        return report

    def edges(self, state: State) -> Iterator[Edge]:
        """Every step that can come next."""
        folder, crashes, interruptions = state[:FIRST]
        for place in range(FIRST, len(state)):
            node = state[place]
            if node == ENDED:
                continue
            who = place - FIRST
            if node < ENDED:
                # The program of a starter that is gone.
                after, _ = self._perform(folder, -2 - node)
                yield self._edge(
                    state, who, f"(orphan) {self.table.requests[-2 - node]}", {0: after, place: ENDED}
                )
                continue
            request = self.table.requests[node]
            after, answer = self._answer(state, node, request)
            what = f"{request} -> {answer}"
            yield self._edge(state, who, what, {0: after, place: self._go_on(node, answer)})
            if crashes:
                yield self._edge(state, who, CRASH, {1: crashes - 1, place: ENDED})
            if request.kind not in PROGRAM_STEPS:
                continue
            if crashes and self.setting.orphans:
                yield self._edge(state, who, f"crash during {request}", {1: crashes - 1, place: -2 - node})
            if interruptions:
                next_node = self._go_on(node, False)
                for then in {folder, after}:
                    what = f"{request}, killed {'before' if then == folder else 'after'} its work"
                    yield self._edge(state, who, what, {0: then, 2: interruptions - 1, place: next_node})

    def entries(self, state: State) -> Entries:
        """The folder in a state."""
        return self._folders[state[0]]

    def request(self, state: State, starter: int) -> Request | None:
        """What a starter is about to do, or None when it is over."""
        node = state[FIRST + starter]
        return None if node == ENDED else self.table.requests[node]

    def answer(self, state: State, starter: int) -> Answer:
        """What a starter's next step will find."""
        node = state[FIRST + starter]
        return self._answer(state, node, self.table.requests[node])[1]

    def _answer(self, state: State, node: int, request: Request) -> tuple[int, Answer]:
        if request.kind not in NO_STEP:
            return self._perform(state[0], node)
        if request.kind == "lives":
            return state[0], any(
                node >= 0 and self.table.owners[node].name == request.name for node in state[FIRST:]
            )
        return state[0], True

    def _perform(self, folder: int, node: int) -> tuple[int, Answer]:
        key = (folder, node)
        if key not in self._performed:
            entries, answer = perform(self._folders[folder], self.table.requests[node])
            self._performed[key] = (self._folder(entries), answer)
        return self._performed[key]

    def _go_on(self, node: int, answer: Answer) -> int:
        following = self.table.go_on(node, answer)
        if self.table.requests[following].kind == "end":
            if self.table.requests[following].name == "refused" and not self.setting.interruptions:
                return following
            return self._next_round.get(id(self.table.owners[node]), ENDED)
        return following

    def _edge(self, state: State, who: int, what: str, changes: dict[int, int]) -> Edge:
        changed = list(state)
        for place, value in changes.items():
            changed[place] = value
        return Edge(who, what, tuple(changed))

    def _folder(self, entries: Entries) -> int:
        number = self._numbers.setdefault(entries, len(self._folders))
        if number == len(self._folders):
            self._folders.append(entries)
        return number

    def _judge(self, state: State, judged: set[int], report: Report) -> bool:
        """Whether a state is a violation, which is noted. Every folder is tried on a fresh starter, with all dead."""
        requests = [self.table.requests[node] for node in state[FIRST:] if node >= 0]
        if sum(request.kind == "hold" for request in requests) > 1:
            report.violation = "double"
        elif any(request.kind == "end" for request in requests):
            report.violation = "refused"
        elif self.setting.wedges_count and state[0] not in judged:
            judged.add(state[0])
            if not self._fresh_takes(state[0]):
                report.violation = "wedge"
        return bool(report.violation)

    def _fresh_takes(self, folder: int) -> bool:
        node = self._fresh
        for _ in range(FRESH_STEPS):
            request = self.table.requests[node]
            if request.kind in {"hold", "end"}:
                return request.kind == "hold"
            answer: Answer = request.kind == "sleep"
            if request.kind not in NO_STEP:
                folder, answer = self._perform(folder, node)
            node = self.table.go_on(node, answer)
        return False

    def _trace(self, parents: dict[State, State | None], state: State) -> tuple[Edge, ...]:
        trace: list[Edge] = []
        parent = parents[state]
        while parent is not None:
            trace.append(next(edge for edge in self.edges(parent) if edge.state == state))
            state, parent = parent, parents[parent]
        return tuple(reversed(trace))
