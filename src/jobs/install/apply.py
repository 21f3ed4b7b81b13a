"""Carrying out a plan, job by job, so that a stop at any point leaves what the next install completes.

The receipt is written ahead: before a job is touched it names the plist that is about to be installed, and the plist's
content is stored. A job that fails is put back as it was.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jobs.errors import JobsError, MachineError
from jobs.install.action import Action, Kind, Plan
from jobs.install.launchd_steps import LaunchdSteps, StepError
from jobs.install.receipt import Archive, Entry, Receipt
from jobs.install.wanted import digest
from jobs.system.files import make_folder, write_atomic
from jobs.system.launchctl import NoSessionError

REMOVING = "removing"  # in `Entry.pending`: no digest, so it equals none
STAGED = ".jobs-new"  # launchd reads names that end with .plist only


@dataclass(frozen=True, slots=True)
class Done:
    """How one action ended. `error` is empty when it went well."""

    action: Action
    error: str = ""
    put_back: bool = False  # after an error: whether the job is as it was before


@dataclass(slots=True)
class Result:
    """How a plan ended."""

    done: list[Done] = field(default_factory=list)
    kept_copies: list[Path] = field(default_factory=list)
    undone: bool = False  # all was put back, because one failed

    @property
    def failed(self) -> list[Done]:
        """The actions that did not go well."""
        return [one for one in self.done if one.error]


Progress = Callable[[int, int, str], None]  # number, of how many, name


@dataclass(slots=True)
class Installer:
    """Carries out plans. `now` stops running jobs; `all_or_nothing` puts everything back when one job fails."""

    archive: Archive
    receipt: Receipt
    steps: LaunchdSteps
    progress: Progress
    all_or_nothing: bool = False
    before_load: Callable[[Action], None] = lambda _action: None

    def apply(self, plan: Plan) -> Result:
        """The result. Raises NoSessionError when there is no domain to install into; ^C passes through."""
        result = Result()
        begun: set[str] = set()
        work = [action for action in plan.actions if action.changes]
        try:
            for folder in {action.path.parent for action in work if action.data is not None and action.write}:
                _prepare(folder)
            for folder in {action.path.parent for action in plan.actions}:
                _clear(folder)
            self._settle(plan)
            self._mark(work)
            for number, action in enumerate(work, start=1):
                self.progress(number, len(work), action.name)
                begun.add(action.label)
                done = self._one(action, result)
                result.done.append(done)
                if done.error and self.all_or_nothing:
                    self._undo(result)
                    break
        finally:
            for action in work:
                if action.label not in begun:
                    self._note(action.label, action.entry)
            self.archive.save(self.receipt)
        return result

    def _settle(self, plan: Plan) -> None:
        """Note what needs no work, and store every content that is about to be written."""
        for action in plan.actions:
            if not action.changes and action.kind is not Kind.LEAVE:
                self._note(action.label, action.after)
            if action.write and action.data is not None:
                self.archive.keep(action.data)
            if action.was.data is not None and action.entry is not None:
                # What stood there is ours; after a lost `objects` folder it must still be known as ours.
                self._keep_if_ours(action)

    def _keep_if_ours(self, action: Action) -> None:
        if action.entry is not None and action.was.data is not None and action.kind is not Kind.LEAVE:
            self.archive.keep(action.was.data)

    def _note(self, label: str, entry: Entry | None) -> None:
        if entry is None:
            self.receipt.jobs.pop(label, None)
        else:
            self.receipt.jobs[label] = entry

    def _one(self, action: Action, result: Result) -> Done:
        try:
            if action.patient and action.unload:
                self.steps.wait_for_end(action.target)
            self._carry_out(action, result)
        except NoSessionError:
            raise
        except (JobsError, OSError) as error:
            text = str(error) if isinstance(error, JobsError) else _os_text(error)
            return self._failed(action, text, held=isinstance(error, StepError) and error.held)
        return Done(action)

    def _mark(self, work: Sequence[Action]) -> None:
        """Write ahead what is about to happen to all jobs: a receipt for each would double the time of an install.

        A reload changes no file and needs no mark: see `plan._is_current`.
        """
        for action in work:
            after = action.after
            if action.kind in {Kind.REMOVE, Kind.UNLOAD} and action.entry is not None:
                entry = action.entry if action.kind is Kind.REMOVE else after or action.entry
                self._note(action.label, replace(entry, pending=REMOVING))
            elif action.write and action.data != action.was.data and after is not None:
                old = action.entry
                if old is None or old.domain != action.domain:
                    old = replace(after, digest="", seen="")
                self._note(action.label, replace(old, pending=after.digest))
        if work:
            self.archive.save(self.receipt)

    def _carry_out(self, action: Action, result: Result) -> None:
        if action.write and self._is_foreign(action):
            result.kept_copies.append(self.archive.set_aside(action.label, action.was.data, action.was.link))
        with _staged(action) as staged:
            if action.enable:
                self.steps.enable(action.target)
            if action.unload:
                self.steps.unload(action.target, action.exit_timeout_s)
            if staged is not None:
                os.replace(staged, action.path)  # noqa: PTH105 - replaces a symlink itself
            elif action.write:
                action.path.unlink(missing_ok=True)
        after = action.after
        if action.load and after is not None:
            self.before_load(action)
            service = self.steps.load(
                action.domain, action.label, action.path, once=action.once, drained=action.unload
            )
            after = replace(after, seen=service.identity)
        self._note(action.label, after)

    def _is_foreign(self, action: Action) -> bool:
        was = action.was
        if was.kind == "absent" or was.data == action.data:
            return False
        return was.data is None or not self.archive.knows(digest(was.data))

    def _failed(self, action: Action, text: str, *, held: bool) -> Done:
        try:
            back = not held and self._put_back(action)
        except (JobsError, OSError) as error:
            text += f"; putting it back failed too: {error}"
            back = False
        if not back and action.after is not None:
            # The label may drain or be gone: whatever comes next must not take it for current.
            entry = self.receipt.jobs.get(action.label) or action.entry or action.after
            self._note(action.label, replace(entry, pending=entry.pending or REMOVING))
        return Done(action, text, back)

    def _put_back(self, action: Action) -> bool:
        """Make a job what it was before the action. Raises JobsError, OSError."""
        was = action.was
        target = action.target
        now = self.steps.launchctl.service(target)
        old = was.data
        if old is None and was.service is not None and action.entry is not None:
            old = self.archive.content(action.entry.digest)  # the file was gone, launchd had it loaded
        untouched = now is not None and was.service is not None and now.identity == was.service.identity
        touched_file = action.write and _read(action.path) != was.data
        if now is not None and (was.service is None or (touched_file and not untouched)):
            self.steps.unload(target, now.exit_timeout_s or action.exit_timeout_s)
            now = None
        if touched_file and was.link is not None:
            action.path.unlink(missing_ok=True)
            action.path.symlink_to(was.link)
        elif touched_file and (was.kind == "file" or old is not None):
            write_atomic(action.path, old or b"", 0o644)
        elif touched_file and was.kind == "absent":
            action.path.unlink(missing_ok=True)
        entry = action.entry
        if was.service is not None and now is None and old is not None:
            service = self.steps.load(
                action.domain, action.label, action.path, once=action.once, drained=True
            )
            entry = replace(entry, seen=service.identity) if entry is not None else None
        if action.enable and was.disabled:
            self.steps.disable(target)
        self._note(action.label, entry)
        return True

    def _undo(self, result: Result) -> None:
        """Put back everything that went well before, newest first."""
        result.undone = True
        for index, done in reversed(list(enumerate(result.done))):
            if not done.error:
                try:
                    self._put_back(done.action)
                except (JobsError, OSError) as error:
                    result.done[index] = Done(done.action, f"could not be put back: {error}")
                else:
                    result.done[index] = Done(
                        done.action, "put back, because another job failed", put_back=True
                    )


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _os_text(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


@contextlib.contextmanager
def _staged(action: Action) -> Iterator[Path | None]:
    """The new plist under a name that launchd does not read, complete before anything else is touched.

    A full disk or a read-only folder shows here, while the old job still runs as before.
    """
    if not action.write or action.data is None:
        yield None
        return
    staged = action.path.with_name(f".{action.label}{STAGED}")
    write_atomic(staged, action.data, 0o644)
    try:
        yield staged
    finally:
        staged.unlink(missing_ok=True)


def _prepare(folder: Path) -> None:
    """Make launchd's folder. Raises MachineError."""
    try:
        make_folder(folder, 0o755)
    except OSError as error:
        raise MachineError(f"the folder {folder} cannot be made or used: {_os_text(error)}") from error
    if folder.is_symlink() and not folder.is_dir():
        raise MachineError(f"{folder} is a symlink that leads nowhere")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise MachineError(f"{folder} cannot be written by you: check its owner and mode")


def _clear(folder: Path) -> None:
    """Delete what an install that was killed left in launchd's folder."""
    with contextlib.suppress(OSError):
        for left in folder.glob(f".*{STAGED}*"):
            left.unlink()
