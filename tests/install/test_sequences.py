"""Random sequences of everything that can happen to an installed project, checked after the next install.

Two things must hold whatever came before: files, launchd and receipt agree, and nothing foreign was touched. Installs
are killed for real: in a child process that dies before its n-th step.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from jobs.install.rollback import pick
from jobs.install.wanted import Wanted
from jobs.system.launchctl import Answer, Launchctl
from tests.install.world import DOMAIN, PREFIX, World, plist, wanted
from tests.launchctl.in_process import ask

NAMES = ("a", "b", "c")
STEPS = frozenset({"os.rename", "os.remove", "os.mkdir", "tempfile.mkstemp"})
inside_double = False


class InProcess(Launchctl):
    """The double without a process for each call."""

    def call(self, *words: str, limit_s: float | None = None) -> Answer:  # noqa: ARG002
        global inside_double  # noqa: PLW0603 - the audit hook can see nothing else
        sys.audit("jobs.launchctl")
        inside_double = True
        answer = ask(Path(self.program).parent, *words)
        inside_double = False
        sys.audit("jobs.launchctl")
        return answer


def die_at(step: int) -> None:
    """Let this process end, as kill -9 would end it, before its n-th step."""
    left = step

    def hook(event: str, _args: object) -> None:
        nonlocal left
        if event == "jobs.launchctl" or (event in STEPS and not inside_double):
            left -= 1
            if left < 0:
                os._exit(137)

    sys.addaudithook(hook)


class Installation(RuleBasedStateMachine):
    """A project with up to three jobs in up to three versions, and a foreign agent beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="jobs-sequence-"))
        self.world = World(self.root)
        self.world.launchctl = InProcess(str(self.world.double.program))
        self.manifest: dict[str, int] = {}
        self.off: set[str] = set()
        self.held: set[str] = set()
        self.edited: dict[str, bytes] = {}
        self.installs = 0

    @initialize()
    def foreign_agent(self) -> None:
        self.world.folder.mkdir(parents=True)
        self.foreign = self.world.folder / "org.other.agent.plist"
        self.foreign.write_bytes(plist("org.other.agent", "exit 0"))
        self.world.double.store.set_options({**self.world.double.options})
        InProcess(str(self.world.double.program)).call("bootstrap", DOMAIN, str(self.foreign))

    def jobs(self) -> list[Wanted]:
        return [
            wanted(name, f"exit {version}", enabled=name not in self.off)
            for name, version in sorted(self.manifest.items())
        ]

    @rule(name=st.sampled_from(NAMES), version=st.integers(0, 2))
    def edit(self, name: str, version: int) -> None:
        self.manifest[name] = version

    @rule(name=st.sampled_from(NAMES))
    def leave_the_manifest(self, name: str) -> None:
        self.manifest.pop(name, None)

    @rule(name=st.sampled_from(NAMES))
    def switch_in_the_manifest(self, name: str) -> None:
        self.off ^= {name}

    @rule(name=st.sampled_from(NAMES))
    def boot_out_behind_the_back(self, name: str) -> None:
        target = f"{DOMAIN}/{PREFIX}.{name}"
        self.world.launchctl.call("bootout", target)
        # Nobody can tell a label that lingers from one that stays: the next install must come when it is gone.
        while self.world.launchctl.service(target) is not None:
            time.sleep(0.001)

    @rule(name=st.sampled_from(NAMES), verb=st.sampled_from(["disable", "enable"]))
    def override_behind_the_back(self, name: str, verb: str) -> None:
        self.world.launchctl.call(verb, f"{DOMAIN}/{PREFIX}.{name}")
        self.held.discard(name)

    @rule(name=st.sampled_from(NAMES))
    def delete_the_file(self, name: str) -> None:
        self.world.path(name).unlink(missing_ok=True)
        self.edited.pop(name, None)

    @rule(name=st.sampled_from(NAMES))
    def edit_by_hand(self, name: str) -> None:
        mine = plist(f"{PREFIX}.{name}", f"echo mine {self.installs}")
        self.world.path(name).write_bytes(mine)
        self.edited[name] = mine

    @rule(mode=st.sampled_from([0o600, 0o664, 0o644]), name=st.sampled_from(NAMES))
    def change_the_mode(self, mode: int, name: str) -> None:
        if self.world.path(name).exists():
            self.world.path(name).chmod(mode)

    @rule(linger=st.sampled_from([0.0, 1.0]), spelling=st.sampled_from(["words", "booleans"]))
    def another_macos(self, linger: float, spelling: str) -> None:
        self.world.double.set(linger_s=linger, disabled_spelling=spelling)

    @rule(names=st.sets(st.sampled_from(NAMES)))
    def uninstall(self, names: set[str]) -> None:
        self.world.uninstall(*names)

    @rule(
        step=st.integers(0, 30),
        what=st.sampled_from(["install", "install", "uninstall"]),
        version=st.integers(0, 2),
        name=st.sampled_from(NAMES),
    )
    def killed(self, step: int, what: str, version: int, name: str) -> None:
        self.manifest[name] = version
        child = os.fork()
        if child == 0:
            with open(os.devnull, "wb") as null:  # noqa: PTH123
                os.dup2(null.fileno(), 2)
            die_at(step)
            try:
                self.world.install(*self.jobs()) if what == "install" else self.world.uninstall()
            finally:
                os._exit(0)
        os.waitpid(child, 0)

    @rule()
    def roll_back(self) -> None:
        operation = self.world.operation()
        sets = operation.archive.sets()
        earlier = [one for one in sets if one.number < operation.receipt.number]
        if earlier:
            with operation.locked():
                chosen = pick(sets, operation.receipt.number, 1)
                _, jobs = operation.archive.load_set(chosen)
                plan = operation.plan(jobs)
                operation.receipt.number = chosen.number
                assert not operation.apply(plan).failed

    @rule(failing=st.sampled_from([None, *NAMES]))
    def install(self, failing: str | None) -> None:
        script = [{"verb": "bootstrap", "label": f".{failing}", "status": 134, "times": 1}] if failing else []
        self.world.double.set(script=script)
        self.world.install(*self.jobs())
        self.world.double.set(script=[])
        self.installs += 1
        _, result = self.world.install(*self.jobs())
        assert not result.failed
        self.check()

    def check(self) -> None:
        calls = self.world.double
        calls.forget_calls()
        plan, _ = self.world.install(*self.jobs())
        assert calls.writes() == [], plan
        wished = [job for job in self.jobs() if job.enabled and job.name not in self.edited]
        entries = {
            e.name: e for e in self.world.operation().receipt.jobs.values() if e.name not in self.edited
        }
        assert set(entries) == {job.name for job in wished}
        loaded = {name for name in self.world.loaded() if name in NAMES} - set(self.edited)
        assert loaded == {job.name for job in wished}
        for job in wished:
            assert self.world.path(job.name).read_bytes() == job.data
            assert self.world.path(job.name).stat().st_mode & 0o022 == 0
            assert self.world.loaded()[job.name]["ProgramArguments"][2] == f"exit {self.manifest[job.name]}"
            assert entries[job.name].digest == job.digest
            assert not self.world.double.overrides().get(job.label, False)
        expected = {f"{PREFIX}.{name}.plist" for name in {job.name for job in wished} | set(self.edited)}
        assert set(self.world.files()) == expected | {self.foreign.name}

    def teardown(self) -> None:
        for name, mine in self.edited.items():
            assert self.world.path(name).read_bytes() == mine
        assert self.foreign.read_bytes() == plist("org.other.agent", "exit 0")
        assert "org.other.agent" in self.world.double.services()
        shutil.rmtree(self.root)


def sequences(count: int) -> None:
    run_state_machine_as_test(
        Installation,
        settings=settings(
            max_examples=count,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )


def test_a_few_sequences() -> None:
    sequences(8)


@pytest.mark.slow
def test_many_sequences() -> None:
    sequences(200)
