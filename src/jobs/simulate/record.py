"""The result of a simulation as JSON values: instants are epoch seconds, lengths are seconds."""

from __future__ import annotations

from typing import Any

from jobs.simulate.result import IntervalStory, Result
from jobs.simulate.story import SlotStory
from jobs.simulate.text import assumptions


def record(result: Result) -> dict[str, Any]:
    """The whole report."""
    scenario = result.scenario
    return {
        "from": scenario.start,
        "to": scenario.end,
        "zone": str(scenario.zone),
        "assumed": assumptions(scenario),
        "slots": [_slot(story) for story in result.slots],
        "intervals": [_interval(told) for told in result.intervals],
        "apart": [{"job": name, "why": why} for name, why in result.apart],
        "collisions": [
            {"from": one.begin, "to": one.end, "jobs": list(one.jobs), "most": one.most}
            for one in result.collisions
        ],
        "summary": {
            "slots": len(result.slots),
            **{outcome.replace(" ", "_"): count for outcome, count in result.counts().items()},
            "refused_runs": result.refusals(),
            "catchup_starts": result.catchups,
            "collisions": len(result.collisions),
        },
    }


def _slot(story: SlotStory) -> dict[str, Any]:
    run = story.run
    found: dict[str, Any] = {
        "job": story.job,
        "slot": story.slot.id,
        "due": story.slot.instant,
        "outcome": story.outcome,
        "reason": story.reason or None,
        "ran": run.started if run else None,
        "ended": run.ended if run else None,
        "end": run.word if run else None,
        "trigger": run.trigger if run else None,
        "late": story.late_s if run else None,
        "happenings": [
            {
                key: value
                for key, value in (
                    ("at", one.at),
                    ("what", one.what),
                    ("word", one.word or None),
                    ("guard", one.guard),
                    ("until", one.until),
                )
                if value is not None
            }
            for one in story.happenings
        ],
    }
    return {key: value for key, value in found.items() if value is not None}


def _interval(told: IntervalStory) -> dict[str, Any]:
    starts = sum(phase.count for phase in told.phases)
    return {
        "job": told.job.name,
        "every": told.job.every_s,
        "starts": starts,
        "ran": told.runs,
        "skipped": told.skipped,
        "refused": told.refused,
        "phases": [{"first": phase.first, "count": phase.count} for phase in told.phases],
        "lost_in_sleep": max(0, told.undisturbed - starts - told.dropped),
        "lost_while_running": told.dropped,
    }
