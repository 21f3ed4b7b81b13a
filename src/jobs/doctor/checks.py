"""All checks, in the order in which they are made."""

from __future__ import annotations

from jobs.doctor.check import Check
from jobs.doctor.installed_files import check_installed_files
from jobs.doctor.machine import check_clock, check_disk, check_logs, check_state
from jobs.doctor.privacy import check_privacy
from jobs.doctor.probe import check_probe
from jobs.doctor.programs import check_programs
from jobs.doctor.session import check_launchctl, check_loaded, check_overrides, check_session
from jobs.doctor.twins import check_agents, check_crontab

PROBE = "probe"

CHECKS: tuple[Check, ...] = (
    Check("launchctl", "launchctl is there and answers", check_launchctl),
    Check("session", "the domain of the jobs exists", check_session),
    Check("clock", "the clock looks right", check_clock),
    Check("disk", "there is room on the disk", check_disk),
    Check("state", "the state folder is sound", check_state),
    Check("logs", "the logs can be written", check_logs),
    Check("files", "plists and wrappers are as launchd wants them", check_installed_files),
    Check("overrides", "nothing is switched off behind the manifest", check_overrides),
    Check("loaded", "launchd has every job, and their last starts went well", check_loaded),
    Check("programs", "every program is on its job's PATH", check_programs),
    Check("privacy", "no path lies where macOS guards", check_privacy),
    Check("agents", "no other agent starts the same programs", check_agents),
    Check("crontab", "the crontab runs none of the scripts", check_crontab),
    Check(PROBE, "a job run by launchd itself can read every path", check_probe),
)
