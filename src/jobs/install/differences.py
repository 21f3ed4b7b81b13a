"""What differs between two plists, key by key. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jobs.install.wanted import plist_values

SHOWN = 60  # characters of a value


@dataclass(frozen=True, slots=True)
class Difference:
    """One key. `old` or `new` is None where the key is not there."""

    key: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        if self.old is None:
            return f"{self.key}: + {self.new}"
        if self.new is None:
            return f"{self.key}: - {self.old}"
        return f"{self.key}: {self.old} → {self.new}"


def differences(old: bytes | None, new: bytes) -> tuple[Difference, ...]:
    """The keys that differ, by name; environment variables each for itself. Empty when there is nothing to compare."""
    if old is None or old == new:
        return ()
    before, after = _flat(plist_values(old)), _flat(plist_values(new))
    return tuple(
        Difference(key, before.get(key), after.get(key))
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    )


def _flat(values: Mapping[str, object]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in values.items():
        if key == "EnvironmentVariables" and isinstance(value, dict):
            found |= {f"{key}.{name}": _short(text) for name, text in value.items()}
        else:
            found[key] = _short(value)
    return found


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
