"""P135: a password or a key in the list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import PlistJob, on_job
from jobs.lint.plist_values import variable_in
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job
from jobs.text import Place

_SHAPE = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-ant-[A-Za-z0-9_-]{8,}|sk-(?:proj-|live-|test-)?[A-Za-z0-9_-]{20,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+"
    r"|[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----)"
)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s:@]*:([^/\s@]{3,})@", re.IGNORECASE)
_WORDS = r"passw(?:or)?d|pass|passphrase|passwd|pwd|secret(?:[_-]?(?:access)?[_-]?key)?|api[_-]?key|apikey|(?:access|auth|bearer|bot|api)[_-]?token|token|private[_-]?key|access[_-]?key|client[_-]?secret|credentials?"
_NAME = re.compile(rf"(?:^|[_.-])(?:{_WORDS})$", re.IGNORECASE)
_PAIR = re.compile(
    rf"(?:^|[\s?&;,])-{{0,2}}(?:[A-Za-z0-9]+[_-])*(?:{_WORDS})=([\"']?)([^\s\"'&]+)", re.IGNORECASE
)
_OPTION = re.compile(rf"--?(?:[A-Za-z0-9]+[_-])*(?:{_WORDS})", re.IGNORECASE)
_HARMLESS = re.compile(
    r"(?:true|false|yes|no|none|null|on|off|\d{1,4}|x+|\*+|\.+|<.*>|changeme|secret|password|token|test|dummy|example|placeholder|default|redacted)",
    re.IGNORECASE,
)


def _check(job: PlistJob, context: Context) -> Iterator[Finding]:
    """Secrets by the name of a variable or option, and by their shape, in a list that others may read."""
    mode = context.disk.mode(job.file.path)
    if mode is not None and not mode & 0o044:
        return
    for name, value in job.env.items():
        text = job.literal(value)
        if text and _secret(name, text):
            yield _finding(value.place, f"{name} in EnvironmentVariables", text)
    before = ""
    for argument in job.argv:
        text = job.literal(argument) or ""
        found = _in_argument(before, text)
        if found:
            yield _finding(argument.place, "an argument", found)
        before = text


def _secret(name: str, text: str) -> bool:
    shape = _SHAPE.search(text) or _URL.search(text)
    if shape:
        return not placeholder_in(text) and not _dull(shape.group())
    return _NAME.search(name) is not None and _value(text)


def _in_argument(before: str, text: str) -> str:
    """The secret in an argument, or nothing."""
    shape = _SHAPE.search(text) or _URL.search(text)
    if shape and not placeholder_in(text) and not _dull(shape.group()):
        return shape.group()
    for pair in _PAIR.finditer(text):
        if _value(pair.group(2)):
            return pair.group(2)
    return text if _OPTION.fullmatch(before) and _value(text) and not text.startswith("-") else ""


def _value(text: str) -> bool:
    """Whether a text may be a secret: not a path, a variable, a placeholder, or a word that stands for one."""
    if (
        len(text) < 6
        or re.match(r"[/~.@]|file:|op://|keychain:|env:", text)
        or variable_in(text)
        or text.startswith("$")
    ):
        return False
    if "/" in text and re.search(r"\.(?:json|txt|pem|key|env|ya?ml|toml|conf)$", text):
        return False
    return not placeholder_in(text) and not _dull(text) and " " not in text.strip()


def _dull(text: str) -> bool:
    """Whether the characters are plainly made up: one repeated, or a word for a secret."""
    return (
        bool(_HARMLESS.fullmatch(text))
        or bool(re.search(r"x{4,}|X{4,}|\.\.\.|…|\*{3,}|your[-_]|(?:^|[-_])here$|example", text))
        or len(set(text)) <= 3
    )


def _finding(place: Place, where: str, text: str) -> Finding:
    return Finding(
        place,
        f"{where} holds a secret ({text[:4]}…, {len(text)} characters); whoever may read the file or `launchctl print` has it",
        Fix("put it into a file of mode 0600 or into the keychain, and let the job read it; then change it"),
    )


RULE = Rule(
    code="P135",
    name="secret-in-plist",
    title="A secret in a list that others may read",
    subject="plist",
    severity=Severity.WARNING,
    why=(
        "Property lists are mode 0644 as a rule, lie in backups and repositories, and launchctl print shows them. Arguments are "
        "also in every process list."
    ),
    bad=job(environment(API_KEY="sk-ant-api03-Zm9vYmFyYmF6cXV4")),
    good=(
        job(environment(API_KEY_FILE="/Users/kim/.config/key")),
        job(environment(SSH_AUTH_SOCK="/usr/local/var/ssh")),
        job(argv=("/usr/local/bin/tidy", "--token", "$TOKEN_FILE".replace("$", "/usr/local/"))),
    ),
    check=on_job(_check),
    exceptions="A list of mode 0600, names of files that hold a secret, placeholders.",
    sources=("launchctl(1), print: shows the environment of a job",),
    example_path=AGENT_PATH,
)
