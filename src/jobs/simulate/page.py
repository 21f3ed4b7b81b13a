"""A simulation as one page of HTML, of the family of the week's: what ran where, what did not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobs.model.job import Job, Manifest
from jobs.runtime.wrapper_rules import REFUSED
from jobs.schedule.pattern import DAY_MINUTES, date_of
from jobs.schedule.wall import WallClock, wall_clock
from jobs.schedule.words import duration_in_words, in_words
from jobs.simulate.result import Result
from jobs.simulate.spans import Span
from jobs.simulate.state import Run
from jobs.simulate.story import SlotStory
from jobs.simulate.text import OUTCOME_WORDS, READINGS, assumed, in_rows, interval_lines, row_in_words
from jobs.simulate.text import in_words as story_in_words
from jobs.simulate.words import Clock
from jobs.week.plan import DENSE, clock_changes
from jobs.week.sheet import BAND_ROOM, HUES, ROOM, Mark, Sheet, render, sides
from jobs.week.table import clock as time_of_day

MOST_TOLD = 300
MOST_COLLISIONS = 100
KINDS = {"missed": "missed", "once": "unneeded", "due": "due-at"}  # of slots that did not run
MERGED = 20  # minutes between a slot and its run, below which one mark stands for both


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A mark before its words are placed: minutes of the page, first and last."""

    first: float
    last: float
    length: float
    label: str
    time: str
    kind: str
    count: int = 1


class _Lanes:
    """The lanes of a simulation."""

    def __init__(self, result: Result, manifest: Manifest) -> None:
        self.result = result
        self.manifest = manifest
        self.wall: WallClock = wall_clock(result.scenario.zone)
        first = self.wall.reading(result.scenario.start) // 86400
        last = (self.wall.reading(result.scenario.end) - 1) // 86400
        self.sheet = Sheet(date_of(first), last - first + 1)
        self.clock = Clock(self.wall, one_day=True)
        self._slots: dict[str, list[SlotStory]] = {}
        for story in result.slots:
            self._slots.setdefault(story.job, []).append(story)
        self._runs: dict[str, list[Run]] = {}
        for run in result.runs:
            if run.slot is None:
                self._runs.setdefault(run.job, []).append(run)

    def minute(self, instant: int) -> float:
        """Where an instant stands."""
        return self.sheet.of_reading(self.wall.reading(instant))

    def spans(self, spans: Iterable[Span], kind: str) -> list[dict[str, object]]:
        """Stretches of time as they are drawn."""
        return [
            {
                "left": self.sheet.place(self.minute(span.begin)),
                "width": self.sheet.place(self.minute(span.end) - self.minute(span.begin)),
                "kind": kind,
            }
            for span in spans
        ]

    def groups(self) -> list[dict[str, object]]:
        """The lanes by their first guard, in the manifest's order."""
        names = [*(guard.name for guard in self.manifest.guards), ""]
        shown = [job for job in self.manifest.jobs if job.name in self.result.jobs]
        found: list[dict[str, object]] = []
        for index, name in enumerate(names):
            jobs = [job for job in shown if (job.guards[0] if job.guards else "") == name]
            lanes = [self._lane(job) for job in jobs if job.schedule is not None or job.every_s]
            if lanes:
                found.append(
                    {
                        "name": name,
                        "hue": HUES[index % len(HUES)] if name else None,
                        "spans": self.spans(self.result.scenario.quota_out.get(name, ()), "out"),
                        "lanes": lanes,
                    }
                )
        return found

    def _lane(self, job: Job) -> dict[str, object]:
        told = self._slots.get(job.name, [])
        drawn: list[_Drawn] = []
        ways: list[dict[str, float]] = []
        of_day: dict[int, list[SlotStory]] = {}
        for story in told:
            of_day.setdefault(int(self.minute(story.slot.instant) // DAY_MINUTES), []).append(story)
        for stories in of_day.values():
            if len(stories) > DENSE:
                drawn.append(self._band(job, stories))
                continue
            for story in stories:
                drawn += self._slot(job, story)
                ways += self._way(story)
        drawn += self._starts(job)
        drawn.sort(key=lambda one: (one.first, one.last))
        where = sides(
            [(one.first, one.last, ROOM if one.count == 1 else BAND_ROOM) for one in drawn],
            self.sheet.minutes,
        )
        marks = [
            Mark(
                self.sheet.place(one.first),
                self.sheet.place(one.length),
                one.label,
                one.time if side else "",
                side == "before",
                one.kind,
            )
            for one, side in zip(drawn, where, strict=True)
        ]
        words = in_words(job.schedule) if job.schedule else f"every {duration_in_words(job.every_s or 0)}"
        return {"name": job.name, "about": job.about, "words": words, "ways": ways, "marks": marks}

    def _slot(self, job: Job, story: SlotStory) -> list[_Drawn]:
        """A slot that ran in time is one mark; one that ran later is two; one that did not run is a hollow one."""
        due = self.minute(story.slot.instant)
        label = f"{self._when(story.slot.instant)} {job.name}; {story_in_words(story, self.clock)}"
        shown = time_of_day(int(due) % DAY_MINUTES)
        run = story.run
        if run is None:
            return [_Drawn(due, due, 0, label, shown, KINDS[story.outcome])]
        ran = self.minute(run.started)
        length = self._length(run)
        kind = _kind(run)
        if ran - due < MERGED:
            return [_Drawn(due, due, length, label, shown, kind)]
        return [
            _Drawn(due, due, 0, label, "", "due-at"),
            _Drawn(ran, ran, length, label, self.clock.minute(run.started), kind),
        ]

    def _way(self, story: SlotStory) -> list[dict[str, float]]:
        if story.run is None:
            return []
        due, ran = self.minute(story.slot.instant), self.minute(story.run.started)
        if ran - due < MERGED:
            return []
        return [{"left": self.sheet.place(due), "width": self.sheet.place(ran - due)}]

    def _band(self, job: Job, stories: Sequence[SlotStory]) -> _Drawn:
        """Many slots of one day."""
        counts = Counter(story.outcome for story in stories)
        first, last = (self.minute(stories[at].slot.instant) for at in (0, -1))
        words = ", ".join(f"{number} {OUTCOME_WORDS[outcome]}" for outcome, number in counts.items())
        label = f"{self._when(stories[0].slot.instant)} to {time_of_day(int(last) % DAY_MINUTES)} {job.name}; {len(stories)} slots; {words}"
        kind = "band missed" if counts["missed"] else "band"
        return _Drawn(first, last, last - first + 1, label, f"{len(stories)}×", kind, len(stories))

    def _starts(self, job: Job) -> list[_Drawn]:
        """The runs that no slot asked for: those of intervals, and at load."""
        of_day: dict[int, list[Run]] = {}
        for run in self._runs.get(job.name, []):
            of_day.setdefault(int(self.minute(run.started) // DAY_MINUTES), []).append(run)
        found: list[_Drawn] = []
        for runs in of_day.values():
            if len(runs) > DENSE:
                first, last = self.minute(runs[0].started), self.minute(runs[-1].started)
                refused = sum(run.word in REFUSED for run in runs)
                label = f"{self._when(runs[0].started)} to {self.clock.minute(runs[-1].started)} {job.name}; {len(runs)} starts"
                label += f"; {refused} refused" if refused else ""
                found.append(_Drawn(first, last, last - first + 1, label, f"{len(runs)}×", "band", len(runs)))
                continue
            for run in runs:
                at = self.minute(run.started)
                label = f"{self._when(run.started)} {job.name}; {run.trigger}; {run.word or 'still running at the end'}"
                found.append(
                    _Drawn(at, at, self._length(run), label, self.clock.minute(run.started), _kind(run))
                )
        return found

    def _length(self, run: Run) -> float:
        end = self.result.scenario.end if run.ended is None else run.ended
        return max(0.0, self.minute(end) - self.minute(run.started))

    def _when(self, instant: int) -> str:
        minute = int(self.minute(instant))
        return f"{self.sheet.day(minute // DAY_MINUTES)} {time_of_day(minute % DAY_MINUTES)}"

    def told(self) -> list[dict[str, str]]:
        """What did not run on time."""
        found: list[tuple[int, dict[str, str]]] = []
        for stories in self._slots.values():
            for alike in in_rows(stories):
                first = alike[0]
                if first.outcome == "on time" and (first.run is None or not _kind(first.run)):
                    continue
                when, words = self._when(first.slot.instant), story_in_words(first, self.clock)
                if len(alike) > 1:
                    words = f"to {self._when(alike[-1].slot.instant)}: {row_in_words(alike)}"
                kind = "missed" if first.outcome == "missed" else ""
                row = {"when": when, "job": first.job, "kind": kind, "words": words}
                found.append((first.slot.instant, row))
        return [row for _, row in sorted(found, key=lambda one: one[0])]

    def collisions(self) -> list[dict[str, object]]:
        """What ran at once."""
        return [
            {"when": f"{self._when(one.begin)} to {self.clock.second(one.end)}", "jobs": one.jobs}
            for one in self.result.collisions
        ]


def _kind(run: Run) -> str:
    """How a run's mark looks: plain where it went well, or still goes on."""
    return "" if run.word in {"ok", None} else "refused"


def render_page(result: Result, manifest: Manifest) -> str:
    """The page."""
    lanes, scenario = _Lanes(result, manifest), result.scenario
    begin = lanes.wall.instant(lanes.sheet.first_number * 86400)
    changes = clock_changes(lanes.wall, begin, begin + lanes.sheet.days * 86400)
    told, collisions = lanes.told(), lanes.collisions()
    spans = [*lanes.spans(scenario.power.asleep, "asleep"), *lanes.spans(scenario.power.off, "off")]
    legend = [
        ("mark missed", "will not run"),
        *([("asleep", "asleep")] if scenario.power.asleep else []),
        *([("off", "switched off")] if scenario.power.off else []),
        *([("out", "quota used up")] if scenario.quota_out else []),
    ]
    return render(
        "simulate.html.j2",
        lanes.sheet,
        changes,
        project=manifest.project.name,
        zone=str(scenario.zone),
        reading=READINGS[scenario.reading],
        heads=lanes.sheet.heads(None, changes),
        groups=lanes.groups(),
        spans=spans,
        nothing="No job has a time of day or an interval.",
        now=None,
        clockwork=None,
        slot_count=len(result.slots),
        counts=[
            {"kind": outcome, "number": number, "words": OUTCOME_WORDS[outcome]}
            for outcome, number in result.counts().items()
            if number and outcome != "on time"
        ],
        legend=legend,
        told=told[:MOST_TOLD],
        more_told=max(0, len(told) - MOST_TOLD),
        intervals=[
            {"job": one.job.name, "lines": list(interval_lines(one, Clock(lanes.wall, one_day=False)))}
            for one in result.intervals
        ],
        apart=result.apart,
        collisions=collisions[:MOST_COLLISIONS],
        more_collisions=max(0, len(collisions) - MOST_COLLISIONS),
        assumed=list(assumed(result, Clock(lanes.wall, one_day=False))),
    )
