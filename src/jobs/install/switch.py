"""Single jobs: switched off and on, and restarted."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from jobs.errors import MachineError, UsageError
from jobs.install.actual import read_file
from jobs.install.apply import REMOVING
from jobs.install.launchd_steps import StepError
from jobs.install.operation import Operation, write_since
from jobs.install.receipt import Entry
from jobs.install.wanted import digest, exit_timeout_s, plist_values
from jobs.system.launchctl import check_session
from jobs.system.launchd_answers import Service
from jobs.system.launchd_codes import Code

KICKSTART_S = (
    15.0  # launchd has let kickstart hang for minutes on a job that is "spawn scheduled" (KiroCrew#1698)
)


def labels_of(operation: Operation, names: Iterable[str]) -> list[str]:
    """The installed labels of names or labels. Raises UsageError for one that is not installed."""
    jobs = operation.receipt.jobs
    known = {entry.name: label for label, entry in jobs.items()} | {label: label for label in jobs}
    found = []
    for name in names:
        if name not in known:
            near = get_close_matches(name, list(known), n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`jobsctl status` lists the jobs"
            raise UsageError(f"no job {name!r} is installed: {hint}")
        found.append(known[name])
    return found


def _target(entry: Entry, label: str) -> str:
    return f"{entry.domain}/{label}"


def disable(operation: Operation, label: str) -> str:
    """Switch a job off until `enable`: over logins, restarts and installs. What was done, in a sentence.

    Raises StepError, NoSessionError, MachineError.
    """
    receipt, archive, steps = operation.receipt, operation.archive, operation.steps()
    entry = receipt.jobs[label]
    target = _target(entry, label)
    receipt.change(label, held=True)
    archive.save(receipt)
    steps.disable(target)
    service = operation.launchctl.service(target)
    if service is None:
        return f"{entry.name} is switched off; it was not loaded"
    data = read_file(Path(entry.path)).data
    kept_alive = "KeepAlive" in plist_values(data)
    if service.running and not operation.options.now and not kept_alive:
        steps.wait_for_end(target)
    receipt.change(label, pending=REMOVING)
    archive.save(receipt)
    timeout = service.exit_timeout_s
    steps.unload(target, exit_timeout_s(data) if timeout is None else timeout)
    receipt.change(label, pending="", seen="")
    archive.save(receipt)
    return f"{entry.name} is switched off and no longer loaded"


def enable(operation: Operation, label: str) -> str:
    """Switch a job on again and load it. What was done, in a sentence. Raises StepError, NoSessionError, MachineError."""
    receipt, archive, steps = operation.receipt, operation.archive, operation.steps()
    entry = receipt.jobs[label]
    target = _target(entry, label)
    steps.enable(target)
    receipt.change(label, held=False)
    archive.save(receipt)
    if operation.launchctl.service(target) is not None and not entry.pending:
        return f"{entry.name} is switched on; it was loaded already"
    write_since(operation.site.state, entry.name)
    _load(operation, label, drained=bool(entry.pending))
    return f"{entry.name} is switched on and loaded; its slots count from now"


def _load(operation: Operation, label: str, *, drained: bool = False) -> Service:
    """Load the installed plist of a job. Raises StepError, MachineError."""
    entry = operation.receipt.jobs[label]
    path = Path(entry.path)
    found = read_file(path)
    if found.data is None or digest(found.data) != entry.digest:
        raise MachineError(
            f"the plist of {entry.name} is not the installed one ({path}): run `jobsctl install`"
        )
    if drained:
        operation.steps().unload(_target(entry, label), exit_timeout_s(found.data))
    service = operation.steps().load(entry.domain, label, path, drained=drained)
    operation.receipt.change(label, pending="", seen=service.identity)
    operation.archive.save(operation.receipt)
    return service


def restart(operation: Operation, label: str) -> str:
    """Stop a job where it runs and start it again. What was done, in a sentence.

    When kickstart does not return or does not help, the job is taken out and put in once. Raises StepError with the
    last exit code when it does not start then either, UsageError for a job that is switched off.
    """
    entry = operation.receipt.jobs[label]
    target = _target(entry, label)
    if entry.held:
        raise UsageError(f"{entry.name} is switched off: `jobsctl enable {entry.name}`")
    before = operation.launchctl.service(target)
    if before is None:
        _load(operation, label)
        return f"{entry.name} was not loaded; it is now"
    answer = operation.launchctl.call("kickstart", "-k", target, limit_s=KICKSTART_S)
    check_session(answer)
    if answer.status == Code.OK:
        return f"{entry.name} was started again"
    operation.receipt.change(label, pending=REMOVING)
    operation.archive.save(operation.receipt)
    service = _load(operation, label, drained=True)
    if answer.status is not None:
        return f"{entry.name} was taken out and loaded again: kickstart failed with {answer.reason}"
    second = operation.launchctl.call("kickstart", target, limit_s=KICKSTART_S)
    service = operation.launchctl.service(target) or service
    if second.status not in {Code.OK, Code.IN_PROGRESS} and not service.running:
        from jobs.status.ending import describe_exit

        last = describe_exit(before.exit_code, before.exit_signal)
        raise StepError(
            f"{entry.name} does not start: launchd gave {second.reason} also after it was loaded anew; last exit: {last}"
        )
    return f"{entry.name} did not answer kickstart; it was taken out, loaded again and started"
