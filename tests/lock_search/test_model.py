"""The protocol itself: what the search finds in it (nothing), and in protocols with a fault (the fault)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.lock_search import article, protocol
from tests.lock_search.explore import Report, Search, Setting
from tests.lock_search.folder import Entries
from tests.lock_search.protocol import SOUND, Fault

DEAD_OWNER: Entries = (("owner", "X"),)
DEAD_CHAIN: Entries = (("after.X", "Y"), ("after.Y", "Z"), ("owner", "X"))
LINKS_IN_THE_AIR: Entries = (("after.V", "W"), ("after.W", "X"), ("owner", "X"))


@dataclass(frozen=True, slots=True)
class Case:
    """How many start, how often each (as a new process), and what may go wrong."""

    starters: int
    rounds: int = 1
    crashes: int = 0
    interruptions: int = 0
    waits: int = 0
    folder: Entries = ()

    def search(self, fault: Fault = SOUND) -> Report:
        starters = [
            [
                protocol.starter(f"{letter}{number}", fault=fault, waits=self.waits)
                for number in range(self.rounds)
            ]
            for letter in "ABCDE"[: self.starters]
        ]
        setting = Setting(
            starters,
            protocol.starter("fresh"),
            folder=self.folder,
            crashes=self.crashes,
            interruptions=self.interruptions,
        )
        return Search(setting).run()


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(Case(3, crashes=3), id="three-starters-three-crashes"),
        pytest.param(Case(2, rounds=2, crashes=2), id="two-starters-two-rounds-two-crashes"),
        pytest.param(Case(2, crashes=2, waits=2), id="one-process-tries-again"),
        pytest.param(Case(2, crashes=1, interruptions=2), id="programs-killed-by-signals"),
        pytest.param(Case(3, crashes=1, folder=DEAD_OWNER), id="dead-owner"),
        pytest.param(Case(2, crashes=2, folder=DEAD_CHAIN), id="chain-of-dead-owners"),
        pytest.param(Case(3, folder=LINKS_IN_THE_AIR), id="links-in-the-air"),
        pytest.param(Case(3, rounds=2, crashes=3), id="three-by-two", marks=pytest.mark.slow),
        pytest.param(Case(4, crashes=3), id="four-starters", marks=pytest.mark.slow),
        pytest.param(Case(3, crashes=2, interruptions=2), id="killed-programs", marks=pytest.mark.slow),
        pytest.param(Case(3, crashes=2, waits=2), id="three-try-again", marks=pytest.mark.slow),
        pytest.param(Case(3, crashes=3, folder=DEAD_CHAIN), id="three-on-a-chain", marks=pytest.mark.slow),
    ],
)
def test_there_is_never_a_second_holder_nor_a_wedge(case: Case) -> None:
    report = case.search()
    print(f"{case}: {report}")
    assert report.violation == ""
    assert report.ends > 0


@pytest.mark.parametrize(
    ("fault", "case", "steps"),
    [
        pytest.param(Fault(no_second_walk=True), Case(3), 12, id="no-second-walk"),
        pytest.param(Fault(remove_dead_link=True), Case(3), 13, id="removes-the-dead-owner"),
        pytest.param(Fault(believes_living_dead=True), Case(2), 10, id="believes-a-living-owner-dead"),
        pytest.param(Fault(successor_not_exclusive=True), Case(3, crashes=1), 20, id="two-successors"),
        pytest.param(Fault(undo_while_holding=True), Case(3, crashes=1), 22, id="undoes-its-own-link"),
        pytest.param(
            Fault(release_last_first=True),
            Case(4, crashes=1),
            29,
            id="last-link-first",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            Fault(release_last_first=True), Case(3, folder=DEAD_OWNER), 27, id="last-link-first-dead-owner"
        ),
    ],
)
def test_the_search_finds_the_fault(fault: Fault, case: Case, steps: int) -> None:
    report = case.search(fault)
    print(report)
    assert (report.violation, len(report.trace)) == ("double", steps)


def test_a_link_that_is_not_taken_back_does_no_harm() -> None:
    report = Case(3, crashes=2).search(Fault(keeps_link_in_the_air=True))
    assert report.violation == ""


def test_a_look_at_the_process_and_not_at_its_group_is_not_enough() -> None:
    """The `rm` of a killed holder removes the link from which its successor's chain begins."""
    starters = [[protocol.starter(name)] for name in "ABC"]
    report = Search(Setting(starters, protocol.starter("fresh"), crashes=1, orphans=True)).run()
    print(report)
    assert (report.violation, len(report.trace)) == ("double", 16)


@pytest.mark.parametrize(
    ("starters", "crashes", "old", "wedges_count", "violation", "steps"),
    [
        pytest.param(3, 1, False, False, "double", 14, id="both-believe-the-owner-dead"),
        pytest.param(2, 0, True, False, "double", 8, id="a-slow-starter-is-thought-old"),
        pytest.param(1, 1, False, True, "wedge", 1, id="crash-before-the-pid-is-written"),
    ],
)
def test_the_search_finds_what_is_wrong_with_a_folder_and_a_pid(
    *, starters: int, crashes: int, old: bool, wedges_count: bool, violation: str, steps: int
) -> None:
    programs = [[article.starter(name, ownerless_is_old=old)] for name in "ABC"[:starters]]
    fresh = article.starter("fresh", ownerless_is_old=old)
    report = Search(Setting(programs, fresh, crashes=crashes, wedges_count=wedges_count)).run()
    print(report)
    assert (report.violation, len(report.trace)) == (violation, steps)
