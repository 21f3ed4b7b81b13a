"""What a run makes of a breaker's file: one table for `jobs.runtime.breaker` and for the shell of the wrappers."""

from __future__ import annotations

from dataclasses import dataclass

NOW = 1796086800
COOLDOWN = 900
SAME = "same"
HOUR, DAY = 3600, 86400
AGO = NOW - 5000  # when outages of the table began


@dataclass(frozen=True, slots=True)
class Vector:
    """`before` and `after` are texts of the file, None for no file; `after` may be SAME. `until` is the judge's, 0
    unknown. `canary`: the run went as the breaker's canary (or, with a closed one, as any run)."""

    id: str
    before: str | None
    verdict: str
    until: int
    after: str | None
    canary: bool = True
    cooldown: int = COOLDOWN
    now: int = NOW
    job: str = "digest"
    words: str = "You've hit your limit"


def quota(
    until: int, attempt: int = 0, since: int = AGO, job: str = "digest", words: str = "You've hit your limit"
) -> str:
    return f"1 open {until} quota {attempt} {since} {job}\n{words}\n"


def billing(since: int = AGO, job: str = "digest", words: str = "You've hit your limit") -> str:
    return f"1 open 0 billing 0 {since} {job}\n{words}\n"


OPEN = quota(NOW + HOUR, job="other", words="earlier")
HALF = quota(NOW - 1, job="other", words="earlier")
HALF_2 = quota(NOW - 1, 2, job="other", words="earlier")
BILLING = billing(job="other", words="earlier")
MANUAL = f"1 open 0 manual 0 {AGO} -\nholiday\n"
MANUAL_PAST = f"1 open {NOW - 1} manual 0 {AGO} -\nholiday\n"

VECTORS: tuple[Vector, ...] = (
    Vector("closed, ok", None, "ok", 0, None),
    Vector("closed, failed", None, "failed", 0, None),
    Vector("closed, auth", None, "auth", 0, None),
    Vector("closed, throttle", None, "throttle", 0, None),
    Vector("closed, reset known", None, "quota", NOW + HOUR, quota(NOW + HOUR + 120, since=NOW)),
    Vector("closed, reset in a second", None, "quota", NOW + 1, quota(NOW + 121, since=NOW)),
    Vector("closed, reset in a week", None, "quota", NOW + 7 * DAY, quota(NOW + 7 * DAY + 120, since=NOW)),
    Vector(
        "closed, reset in eight days", None, "quota", NOW + 8 * DAY - 120, quota(NOW + 8 * DAY, since=NOW)
    ),
    Vector("closed, reset too far", None, "quota", NOW + 8 * DAY, quota(NOW + 900, 1, NOW)),
    Vector("closed, reset now", None, "quota", NOW, quota(NOW + 120, 1, NOW)),
    Vector("closed, reset just passed", None, "quota", NOW - 600, quota(NOW + 120, 1, NOW)),
    Vector("closed, reset long passed", None, "quota", NOW - HOUR - 1, quota(NOW + 900, 1, NOW)),
    Vector("closed, reset unknown", None, "quota", 0, quota(NOW + 900, 1, NOW)),
    Vector("closed, cooldown of the guard", None, "quota", 0, quota(NOW + 300, 1, NOW), cooldown=300),
    Vector("closed, billing", None, "billing", 0, billing(NOW)),
    Vector("closed, words are cut to a line", None, "billing", 0, billing(NOW, words="a b"), words="a\n\tb"),
    Vector("half-open, canary ok", HALF, "ok", 0, None),
    Vector("half-open, another run ok", HALF, "ok", 0, SAME, canary=False),
    Vector("half-open, canary failed", HALF, "failed", 0, SAME),
    Vector("half-open, canary not logged in", HALF, "auth", 0, SAME),
    Vector("half-open, canary throttled", HALF, "throttle", 0, SAME),
    Vector("half-open, refused with a reset", HALF_2, "quota", NOW + HOUR, quota(NOW + HOUR + 120)),
    Vector("half-open, refused again", HALF, "quota", 0, quota(NOW + 900, 1)),
    Vector("half-open, second time", quota(NOW, 1), "quota", 0, quota(NOW + 1800, 2)),
    Vector("half-open, third time", HALF_2, "quota", 0, quota(NOW + 3600, 3)),
    Vector("half-open, fourth time", quota(NOW, 3), "quota", 0, quota(NOW + 7200, 4)),
    Vector("half-open, tenth time", quota(NOW, 9), "quota", 0, quota(NOW + 7200, 10)),
    Vector("half-open, reset just passed", quota(NOW, 1), "quota", NOW - 60, quota(NOW + 1800, 2)),
    Vector("half-open, long cooldown", quota(NOW, 3), "quota", 0, quota(NOW + 10_800, 4), cooldown=10_800),
    Vector(
        "half-open, cooldown of 30 minutes", quota(NOW, 2), "quota", 0, quota(NOW + 7200, 3), cooldown=1800
    ),
    Vector("half-open, billing", HALF, "billing", 0, billing()),
    Vector("open, another run ok", OPEN, "ok", 0, SAME, canary=False),
    Vector("open, forced run ok", OPEN, "ok", 0, None),
    Vector("open, another run failed", OPEN, "failed", 0, SAME, canary=False),
    Vector("open, told again, unknown", OPEN, "quota", 0, SAME, canary=False),
    Vector("open, told again, passed", OPEN, "quota", NOW - 60, SAME, canary=False),
    Vector(
        "open, told again, later", OPEN, "quota", NOW + 2 * HOUR, quota(NOW + 2 * HOUR + 120), canary=False
    ),
    Vector("open, billing", OPEN, "billing", 0, billing(), canary=False),
    Vector("billing, failed", BILLING, "failed", 0, SAME),
    Vector("billing, forced run ok", BILLING, "ok", 0, None),
    Vector("billing, told again", BILLING, "billing", 0, billing()),
    Vector("billing, a limit now", BILLING, "quota", NOW + HOUR, quota(NOW + HOUR + 120)),
    Vector("billing, a limit, unknown", BILLING, "quota", 0, SAME),
    Vector("by hand, ok", MANUAL, "ok", 0, SAME),
    Vector("by hand, quota", MANUAL, "quota", NOW + HOUR, SAME),
    Vector("by hand, billing", MANUAL, "billing", 0, SAME),
    Vector("by hand, over, ok", MANUAL_PAST, "ok", 0, None),
    Vector("by hand, over, quota", MANUAL_PAST, "quota", NOW + HOUR, quota(NOW + HOUR + 120)),
    Vector("unreadable, quota", "rubbish\n", "quota", NOW + HOUR, quota(NOW + HOUR + 120, since=NOW)),
    Vector(
        "from the future, quota",
        quota(NOW + HOUR, since=NOW + HOUR + 1),
        "quota",
        0,
        quota(NOW + 900, 1, NOW),
    ),
)

# id, text of the file, state at NOW, whether a warning is due
READINGS: tuple[tuple[str, str | None, str, bool], ...] = (
    ("no file", None, "closed", False),
    ("open", quota(NOW + 1), "open", False),
    ("half-open", quota(NOW), "half-open", False),
    ("half-open for long", quota(NOW - 30 * DAY, since=NOW - 31 * DAY), "half-open", False),
    ("until told", BILLING, "open", False),
    ("until told, long ago", billing(NOW - 300 * DAY), "open", False),
    ("by hand for a month", f"1 open {NOW + 30 * DAY} manual 0 {AGO} -\nholiday\n", "open", False),
    ("no second line", f"1 open {NOW + 1} quota 0 {AGO} digest", "open", False),
    ("eight days", quota(NOW + 8 * DAY), "open", False),
    ("more than eight days", quota(NOW + 8 * DAY + 1), "closed", True),
    ("begun an hour ahead", quota(NOW + 1, since=NOW + HOUR), "open", False),
    ("begun in the future", quota(NOW + 1, since=NOW + HOUR + 1), "closed", True),
    ("by hand in the future", f"1 open 0 manual 0 {NOW + HOUR + 1} -\nx\n", "closed", True),
    ("empty", "", "closed", True),
    ("rubbish", "rubbish\n", "closed", True),
    ("NULs", "\0" * 60, "closed", True),
    ("another version", f"2 open {NOW + 1} quota 0 {AGO} digest\nx\n", "closed", True),
    ("another word", f"1 shut {NOW + 1} quota 0 {AGO} digest\nx\n", "closed", True),
    ("another kind", f"1 open {NOW + 1} weather 0 {AGO} digest\nx\n", "closed", True),
    ("no number", f"1 open soon quota 0 {AGO} digest\nx\n", "closed", True),
    ("negative", f"1 open -5 quota 0 {AGO} digest\nx\n", "closed", True),
    ("too few words", f"1 open {NOW + 1} quota 0 {AGO}\nx\n", "closed", True),
    ("too many words", f"1 open {NOW + 1} quota 0 {AGO} a b\nx\n", "closed", True),
    ("torn", "1 open 17960", "closed", True),
)
