"""launchd itself: is there one, is there a session, which labels are switched off."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Severity
from jobs.doctor.check import Context, Finding
from jobs.errors import JobsError
from jobs.status.ending import describe_exit
from jobs.system.launchctl import NoSessionError
from jobs.system.launchd_codes import Code


def check_launchctl(context: Context) -> Iterator[Finding]:
    """Findings on launchctl: absent, or one that does not answer."""
    if context.launchctl is None:
        yield Finding(
            "there is no launchctl on this machine", "not on PATH", "run doctor on the Mac that runs the jobs"
        )
        return
    answer = context.launchctl.call("version")
    if answer.status is None:
        yield Finding("launchctl does not answer", answer.reason, "restart the Mac: launchd is stuck")


def check_session(context: Context) -> Iterator[Finding]:
    """Findings on the domain: nobody logged in at the screen, or another session than the jobs ask for."""
    if context.launchctl is None:
        return
    try:
        context.launchctl.disabled(context.site.domain)
    except NoSessionError as error:
        over_ssh = "this is an SSH session" if context.environment.get("SSH_CONNECTION") else "not over SSH"
        yield Finding(
            "the domain of the jobs does not exist now", f"{error}; {over_ssh}", "log in once at the screen"
        )
    if context.site.domain.startswith("gui/") and context.environment.get("SSH_CONNECTION"):
        name = context.launchctl.call("managername")
        if name.status == Code.OK and name.out.strip() != "Aqua":
            yield Finding(
                "you are in another session than the jobs",
                f"launchctl managername says {name.out.strip()}",
                "agents need a login at the screen after each restart, or automatic login",
                Severity.INFO,
            )


def check_overrides(context: Context) -> Iterator[Finding]:
    """Findings on installed labels that are switched off outside of the manifest."""
    if context.launchctl is None:
        return
    try:
        overrides = context.launchctl.disabled(context.site.domain)
    except JobsError:
        return
    for label, entry in sorted(context.receipt.jobs.items()):
        if overrides.get(label) and not entry.held:
            yield Finding(
                "it is switched off by an override, so it does not come back at the next login",
                f"launchctl print-disabled {context.site.domain}: {label} => disabled",
                f"jobsctl enable {entry.name}; also look at System Settings > General > Login Items",
                job=entry.name,
            )


def check_loaded(context: Context) -> Iterator[Finding]:
    """Findings on jobs that launchd lacks, or whose last start ended in a way that needs words."""
    if context.launchctl is None:
        return
    for label, entry in sorted(context.receipt.jobs.items()):
        target = f"{entry.domain}/{label}"
        try:
            service = context.launchctl.service(target)
        except JobsError:
            return
        if service is None:
            job = context.manifest.job(entry.name)
            once = job is not None and job.launchd.get("LaunchOnlyOnce")  # launchd forgets it after its run
            if not entry.held and not once:
                yield Finding(
                    "launchd does not have it loaded",
                    f"launchctl print {target}: 113",
                    "jobsctl install",
                    job=entry.name,
                )
        elif service.state == "spawn scheduled":
            yield Finding(
                "launchd puts its start off again and again",
                f"state = spawn scheduled, last: {describe_exit(service.exit_code, service.exit_signal)}",
                f"look at `jobsctl logs {entry.name}`; `jobsctl restart {entry.name}` loads it anew",
                Severity.WARNING,
                entry.name,
            )
        elif service.exit_reason or service.exit_code in {78, 126, 127}:
            ended = service.exit_reason or describe_exit(service.exit_code)
            yield Finding(
                f"its last start failed: {ended}",
                f"launchctl print {target}",
                "see the other findings on this job; `jobsctl logs` may tell more",
                job=entry.name,
            )
