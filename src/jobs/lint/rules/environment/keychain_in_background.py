"""E107: the keychain in a background session."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, job, key

KEYCHAIN = re.compile(
    r"(?:/usr/bin/)?\bsecurity\s+(?:-\w+\s+)*(?:find-(?:generic|internet)-password|find-key|unlock-keychain|add-(?:generic|internet)-password|show-keychain-info|set-keychain-settings|dump-keychain|export)\b"
)


def background_only(value: object) -> bool:
    """Whether a session type, one word or several, leaves the user's desktop session out."""
    words = {value} if isinstance(value, str) else set(value) if isinstance(value, list | tuple) else set()
    return bool(words) and "Background" in words and "Aqua" not in words


def _check(job: PlistJob, context: Context) -> Iterator[Finding]:
    """A background job whose command line, or whose script, asks the keychain."""
    value = job.get("LimitLoadToSessionType")
    if value is None or not background_only(value.text or [item.text for item in value.items]):
        return
    words = " ".join(argument.text or "" for argument in job.argv)
    if KEYCHAIN.search(words) or any(_asks(context, argument.text or "") for argument in job.argv[:4]):
        yield Finding(
            job.key_place("LimitLoadToSessionType"),
            "session Background and the keychain (security …): it ends with 36, no interaction allowed",
            Fix("write <string>Aqua</string>, or take the secret from a file of mode 0600"),
        )


def _asks(context: Context, path: str) -> bool:
    """Whether a script on disk calls security for a secret."""
    data = context.disk.read(path) if path.startswith("/") else None
    return data is not None and KEYCHAIN.search(data[:200_000].decode("utf-8", "replace")) is not None


RULE = Rule(
    code="E107",
    name="keychain-in-background",
    title="The keychain from a background session",
    subject="plist",
    severity=Severity.WARNING,
    why="The login keychain is unlocked in the desktop session only. In a background session `security` answers 36.",
    bad=job(
        key("LimitLoadToSessionType", "Background"),
        argv=("/bin/sh", "-c", "security find-generic-password -s tidy -w | /usr/local/bin/tidy"),
    ),
    good=(
        job(argv=("/bin/sh", "-c", "security find-generic-password -s tidy -w | /usr/local/bin/tidy")),
        job(key("LimitLoadToSessionType", "Background")),
    ),
    check=on_job(_check),
    sources=("launchctl(1), domains and session types", "security(1): errSecInteractionNotAllowed"),
    example_path=AGENT_PATH,
)
