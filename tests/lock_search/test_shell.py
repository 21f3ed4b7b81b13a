"""The same search on the shipped lock.sh, run by real shells, and its schedules on a real folder."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.lock_search import protocol
from tests.lock_search.automaton import ENDED, Phases, Table
from tests.lock_search.explore import Search, Setting
from tests.lock_search.folder import Entries, Request
from tests.lock_search.replay import Graph, play
from tests.lock_search.shell import EPOCH, LIBRARY, Shell
from tests.tools import SHELLS, require_tool

SEARCHED = ["dash", "bash"]
ALL_SHELLS = [
    pytest.param(name, marks=() if name in SEARCHED else pytest.mark.slow) for name in sorted(SHELLS)
]


class Bench:
    """Starts shells, and ends them with the test."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack
        self._started = 0

    def shell(self, name: str, *, library: Path = LIBRARY, wait_s: int = 0, merge: bool = True) -> Shell:
        words = SHELLS[name]
        self._started += 1
        own = self.folder / str(self._started)
        command = [require_tool(words[0]), *words[1:]]
        return self._stack.enter_context(Shell(command, own, library=library, wait_s=wait_s, merge=merge))

    def search(
        self,
        name: str,
        starters: int,
        *,
        rounds: int = 1,
        crashes: int = 0,
        interruptions: int = 0,
        dead: bool = False,
        library: Path = LIBRARY,
        wait_s: int = 0,
        merge: bool = True,
    ) -> Search:
        def shell() -> Shell:
            return self.shell(name, library=library, wait_s=wait_s, merge=merge)

        setting = Setting(
            [[shell() for _ in range(rounds)] for _ in range(starters)],
            shell(),
            folder=dead_owner() if dead else (),
            crashes=crashes,
            interruptions=interruptions,
        )
        return Search(setting)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(tmp_path, stack)


def dead_owner() -> Entries:
    """A folder whose owner is a process that has ended and was waited for."""
    with subprocess.Popen(["true"]) as process:
        pass
    return (("owner", f"{process.pid}.{EPOCH - 300}.77.job"),)


@pytest.mark.parametrize("shell", SEARCHED)
@pytest.mark.parametrize(
    ("starters", "rounds", "crashes", "interruptions", "wait_s", "dead"),
    [
        pytest.param(2, 1, 0, 0, 0, False, id="two-free"),
        pytest.param(2, 1, 0, 0, 0, True, id="two-dead"),
        pytest.param(2, 2, 2, 0, 0, True, id="two-by-two", marks=pytest.mark.slow),
        pytest.param(2, 1, 2, 0, 2, True, id="two-wait", marks=pytest.mark.slow),
        pytest.param(2, 1, 1, 2, 0, True, id="two-killed-programs", marks=pytest.mark.slow),
        pytest.param(3, 1, 0, 0, 0, True, id="three-dead", marks=pytest.mark.slow),
        pytest.param(3, 1, 3, 0, 0, True, id="three-dead-three-crashes", marks=pytest.mark.slow),
        pytest.param(3, 2, 0, 0, 0, False, id="three-by-two", marks=pytest.mark.slow),
    ],
)
def test_shipped_code_has_one_holder_and_no_wedge(
    *,
    bench: Bench,
    shell: str,
    starters: int,
    rounds: int,
    crashes: int,
    interruptions: int,
    wait_s: int,
    dead: bool,
) -> None:
    search = bench.search(
        shell,
        starters,
        rounds=rounds,
        crashes=crashes,
        interruptions=interruptions,
        wait_s=wait_s,
        dead=dead,
    )
    graph = Graph()
    report = search.run(look=graph.note)
    print(f"{shell}: {report}; {graph.count_schedules(search.first())} schedules")
    assert report.violation == ""
    assert report.ends > 0


@pytest.mark.parametrize("shell", SEARCHED)
@pytest.mark.parametrize(
    ("starters", "crashes", "dead", "limit"),
    [
        pytest.param(2, 0, False, 30, id="two-free"),
        pytest.param(2, 0, True, 120, id="two-dead", marks=pytest.mark.slow),
        pytest.param(2, 2, True, 50, id="two-dead-with-crashes", marks=pytest.mark.slow),
        pytest.param(3, 0, True, 40, id="three-dead", marks=pytest.mark.slow),
    ],
)
def test_real_folder_agrees(
    *, bench: Bench, shell: str, starters: int, crashes: int, dead: bool, limit: int
) -> None:
    search = bench.search(shell, starters, crashes=crashes, dead=dead)
    graph = Graph()
    assert search.run(look=graph.note).violation == ""
    first = search.first()
    graph.count_schedules(first)
    played = 0
    for schedule in graph.covering_schedules(first, random.Random(20261201), limit):
        play(search, schedule, bench.folder / f"schedule-{played}")
        played += 1
    print(f"{shell}: {played} schedules of {starters} starters on a real folder")
    assert played > 1


@pytest.mark.parametrize("shell", ALL_SHELLS)
def test_protocol_of_the_model_is_that_of_the_shell(bench: Bench, shell: str) -> None:
    """What is searched in numbers that no shell could be asked for is the code that is shipped."""
    search = bench.search(shell, 2, dead=True)
    assert search.run().violation == ""
    assert compare(search) > 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "wait_s"),
    [
        pytest.param("dash", 0, id="dash"),
        pytest.param("bash", 0, id="bash"),
        pytest.param("dash", 1, id="dash-waits"),
    ],
)
def test_protocol_of_the_model_is_that_of_three_shells(bench: Bench, shell: str, wait_s: int) -> None:
    search = bench.search(shell, 3, crashes=2, dead=True, wait_s=wait_s)
    assert search.run().violation == ""
    assert compare(search) > 500


def compare(search: Search) -> int:
    """The number of states of shells for which the model asks for the same step after the same answers."""
    compared = 0
    for rounds in search.setting.starters:
        for automaton in rounds:
            assert isinstance(automaton, Shell)
            model = protocol.starter(automaton.id, waits=automaton.wait_s)
            compared += compare_one(search.table, automaton, model)
    return compared


def compare_one(table: Table, shell: Shell, model: Phases) -> int:
    models = Table()
    pairs = [(table.begin(shell), models.begin(model))]
    seen = set(pairs)
    while pairs:
        node, other = pairs.pop()
        assert as_the_shell_says(models.requests[other]) == table.requests[node]
        for answer, following in table.following[node].items():
            pair = (following, models.go_on(other, answer))
            if pair not in seen:
                seen.add(pair)
                pairs.append(pair)
    return len(seen)


def as_the_shell_says(request: Request) -> Request:
    """The model's names are whole IDs; the shell looks at a process group."""
    kind, name, content = request
    if kind == "lives":
        return Request("lives", name.partition(".")[0])
    return Request(kind, name, content)


@pytest.mark.slow
@pytest.mark.parametrize("shell", SEARCHED)
def test_a_turn_of_the_loop_uses_nothing_of_an_earlier_one(bench: Bench, shell: str) -> None:
    """Why answers may be forgotten where a turn begins: without that, every turn goes as the first one."""
    search = bench.search(shell, 2, dead=True, merge=False)
    assert search.run().violation == ""
    turns = 0
    for rounds in search.setting.starters:
        table, first = search.table, search.table.begin(rounds[0])
        pairs = [
            (node, first)
            for node, request in enumerate(table.requests)
            if table.owners[node] is rounds[0] and request == table.requests[first]
        ]
        turns += len(pairs)
        while pairs:
            node, other = pairs.pop()
            assert table.requests[node] == table.requests[other]
            shared = table.following[node].keys() & table.following[other].keys()
            pairs.extend((table.following[node][answer], table.following[other][answer]) for answer in shared)
    assert turns > 10


@pytest.mark.parametrize(
    ("file", "right", "wrong", "starters", "dead"),
    [
        pytest.param(
            "lock.sh",
            'if l_walk "$1" && [ "$l_last" = "$l_me" ]; then',
            "if :; then",
            3,
            False,
            id="no-second-walk",
        ),
        pytest.param(
            "lock.sh",
            'l_chain="$l_chain\n$1/after.$l_last"',
            'l_chain="$1/after.$l_last\n$l_chain"',
            3,
            True,
            id="last-link-first",
        ),
        pytest.param(
            "lock.sh",
            '"$t_link" -sn -- "$l_me" "$1/after.$l_last" 2>/dev/null || continue',
            '"$t_remove" -f -- "$1/owner"; continue',
            2,
            True,
            id="removes-the-dead-owner",
        ),
        pytest.param(
            "lock.sh", 'if l_lives "$l_last"; then', "if false; then", 2, False, id="believes-all-dead"
        ),
    ],
)
def test_faults_put_into_the_shipped_code_are_found(
    *, bench: Bench, tmp_path: Path, file: str, right: str, wrong: str, starters: int, dead: bool
) -> None:
    library = tmp_path / "lib"
    library.mkdir()
    for path in LIBRARY.glob("*.sh"):
        (library / path.name).write_bytes(path.read_bytes())
    text = (library / file).read_text()
    assert text.count(right) == 1
    (library / file).write_text(text.replace(right, wrong))
    report = bench.search("dash", starters, library=library, dead=dead).run()
    print(report)
    assert report.violation == "double"


def test_all_shells_end_in_a_state_without_steps(bench: Bench) -> None:
    search = bench.search("dash", 2)
    ends = []
    search.run(look=lambda state, edges: ends.append(state) if not edges else None)
    assert [(search.entries(state), state[3:]) for state in ends] == [((), (ENDED, ENDED))]
