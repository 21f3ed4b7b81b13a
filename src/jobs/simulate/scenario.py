"""What a simulation assumes of the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from random import Random
from typing import Final

from jobs.schedule.firing import Reading
from jobs.simulate.spans import Power, Span

DEFAULT_LENGTH_S: Final = 60
REFUSAL_S: Final = 5
"""How long a run lasts that the tool refuses."""


ALWAYS_ON: Final = Power((), ())


@dataclass(frozen=True, slots=True)
class Scenario:
    """The world from `start` to `end` (epoch seconds): power, quota, failures and the lengths of the jobs.

    `fails` holds `NAME`, then `HH:MM` or `YYYY-MM-DDTHH:MM`: the run of that slot, or the one that starts in that minute,
    fails. `named` says whether the tool tells when its quota comes back. Without a `seed` every run of a job is as long
    as `lengths` says, or a minute; with one, between half and one and a half times that.
    """

    start: int
    end: int
    zone: tzinfo
    power: Power = ALWAYS_ON
    quota_out: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    named: bool = True
    fails: frozenset[tuple[str, str]] = frozenset()
    lengths: Mapping[str, int] = field(default_factory=dict)
    reading: Reading = Reading.MANUAL
    seed: int | None = None

    def length_s(self, job: str, number: int) -> int:
        """How long the run of that number of a job lasts if nothing stops it."""
        usual = self.lengths.get(job, DEFAULT_LENGTH_S)
        if self.seed is None:
            return usual
        return max(1, round(usual * Random(f"{self.seed} {job} {number}").uniform(0.5, 1.5)))  # noqa: S311 - no secret
