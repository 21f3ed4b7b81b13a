"""Names of imported jobs, and the prefix of their labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from jobs.decode.project import RESERVED
from jobs.model.fields import NAME, RESERVED_JOB

BREW = "homebrew.mxcl."
_LONGEST = 60
_GENERIC = frozenset(
    {
        "agent",
        "daemon",
        "helper",
        "job",
        "jobs",
        "launch",
        "launchd",
        "plist",
        "run",
        "script",
        "service",
        "start",
        "task",
    }
)


def lock_name(name: str) -> str:
    """The name of a job's own lock; also what makes two names alike."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def plain_name(text: str) -> str:
    """The text with everything that no name may hold made a dash; empty when nothing is left."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).lstrip("_-").rstrip("-")[:_LONGEST].rstrip("-")


def wanted_name(label: str | None, hint: str, prefix: str) -> str:
    """The name that a job should have: what follows the prefix (its label then stays), else the label's last parts."""
    if label is not None and not label.startswith(BREW):
        rest = label.removeprefix(f"{prefix}.")
        if rest != label and re.fullmatch(NAME, rest) and len(rest) <= _LONGEST:
            return rest
    if label is not None:
        parts = [name for part in label.removeprefix(BREW).split(".") if (name := plain_name(part))]
        if parts and len(parts) > 1 and parts[-1].lower() in _GENERIC:
            return plain_name("-".join(parts[-2:]))
        if parts:
            return parts[-1] if not label.startswith(BREW) else plain_name("-".join(parts))
    return plain_name(hint) or "job"


def unique_name(wanted: str, taken: set[str]) -> str:
    """The name with a number behind it where it is taken; `taken` holds lock names in lower case, and gets this one's."""
    name, number = wanted, 2
    while lock_name(name).lower() in taken or name.lower() == RESERVED_JOB:
        name = f"{wanted}-{number}"
        number += 1
    taken.add(lock_name(name).lower())
    return name


def common_prefix(labels: Iterable[str], user: str) -> str:
    """The prefix for new labels: the parts that all labels share, at least two of them; else the most frequent two."""
    split = [label.split(".") for label in labels if not label.startswith((BREW, "com.apple."))]
    parts = [words[:-1] for words in split if len(words) > 2]
    fallback = f"local.{plain_name(user) or 'me'}"
    if not parts:
        return fallback
    shared = parts[0]
    for words in parts[1:]:
        length = next(
            (i for i, (a, b) in enumerate(zip(shared, words, strict=False)) if a != b),
            min(len(shared), len(words)),
        )
        shared = shared[:length]
    if len(shared) < 2:
        shared = list(Counter(tuple(words[:2]) for words in parts).most_common(1)[0][0])
    prefix = ".".join(shared)
    good = re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+", prefix) and len(prefix) <= 120
    return prefix if good and not prefix.lower().startswith(RESERVED) else fallback
