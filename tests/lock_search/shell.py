"""The shipped lock.sh as an automaton: a real shell runs it, and is asked what it does after which answers.

One shell serves one starter in one round (its number is in its ID). It runs the code of templates/lib unchanged; a
state that the search meets for the first time is found by telling the shell the answers that lead to it. The folder
itself is the search's (folder.py); replay.py shows on a real folder, with the real programs, that the two agree.

The answers so far are the state. Only where l_try begins another turn of its loop are they forgotten (`merge`): a turn
uses nothing that an earlier one found, which the tests look at with `merge` off.
"""

from __future__ import annotations

import subprocess
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Self

from tests.lock_search.automaton import Automaton
from tests.lock_search.folder import Answer, Request

SCRIPT = Path(__file__).with_name("starter.sh")
LIBRARY = Path(__file__).parents[2] / "templates" / "lib"
EPOCH = 1796126400
STOPS = 100


class Shell(Automaton):
    """A starter as a process. `folder` is its own, where it finds what the last answer to `list` said is there."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        library: Path = LIBRARY,
        wait_s: int = 0,
        merge: bool = True,
    ) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.wait_s = wait_s
        self.rounds = 0
        self._process = subprocess.Popen(
            [*command, str(SCRIPT), str(library)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd="/",
            start_new_session=True,
        )
        pid, ticks = self.hear().split()
        super().__init__(pid)
        self.id = f"{pid}.{EPOCH}.{ticks}.job"
        self._told: tuple[Answer, ...] | None = None
        self.head = Request("link", "owner", self.id)
        self._merge = merge
        self._slept: dict[Hashable, int] = {(): 0}
        self._heads: dict[int, Hashable] = {0: ()}
        assert self.hear() == "ready"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def hear(self) -> str:
        """The next line that the shell says."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode().rstrip("\n")
        assert line, "the shell has ended"
        assert not line.startswith("unexpected"), line
        return line

    def say(self, line: str) -> None:
        """Tell the shell a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def start_round(self, folder: Path) -> Request:
        """Begin a round on a folder: the first request."""
        self.stop_round()
        self.rounds += 1
        self.say(f"{EPOCH} {self.wait_s} {folder}")
        self._told = ()
        return as_request(self.hear())

    def stop_round(self) -> None:
        """Leave the round, wherever it is: the shell is ready for the next."""
        if self._told is None:
            return
        for _ in range(STOPS):
            self.say("stop")
            if self.hear() == "ready":
                self._told = None
                return
        raise AssertionError("the shell does not leave the round")

    def begin(self) -> tuple[Hashable, Request]:
        request = self.start_round(self.folder)
        assert request == self.head
        self._asked: dict[Hashable, Request] = {(): request}
        return (), request

    def go_on(self, key: Hashable, answer: Answer) -> tuple[Hashable, Request]:
        assert isinstance(key, tuple)
        answers = (*key, answer)
        if self._told is None or answers[: len(self._told)] != self._told:
            self.start_round(self.folder)
        assert self._told is not None
        request = Request("")
        for one in answers[len(self._told) :]:
            request = self._tell(one)
        self._told = answers
        slept = self._slept[key] + (self._asked[key].kind == "sleep")
        state: Hashable = answers
        if self._merge and request == self.head:
            state = self._heads.setdefault(slept, answers)
        self._slept[state] = slept
        self._asked[state] = request
        return state, request

    def _tell(self, answer: Answer) -> Request:
        if isinstance(answer, tuple):
            self._show(answer)
        if isinstance(answer, str):
            self.say(f"yes {answer}")
        else:
            self.say("no" if answer is None or answer is False else "yes")
        return as_request(self.hear())

    def _show(self, names: tuple[str, ...]) -> None:
        for path in self.folder.iterdir():
            path.unlink()
        for name in names:
            (self.folder / name).symlink_to("somebody")


def as_request(line: str) -> Request:
    """A line of the shell's as a request."""
    return Request(*line.split(" "))
