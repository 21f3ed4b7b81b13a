"""What a parser of schedules raises when a text has no meaning."""

from __future__ import annotations

from jobs.text import Span


class ScheduleError(Exception):
    """A time that cannot be read; a user's mistake, so the reader of the manifest turns it into a `Diagnostic`.

    `message` says what is wrong and quotes the value. `fix` says what to write instead, as one imperative sentence.
    `span` is the faulty part inside the text that was given, or None when no text holds it (a number, a missing key).
    In a table, `key` names the key at fault (None: the table as a whole), and `index` counts from 0 inside its array.
    """

    def __init__(
        self,
        message: str,
        fix: str,
        span: Span | None = None,
        key: str | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.span = span
        self.key = key
        self.index = index

    def moved(self, offset: int) -> ScheduleError:
        """The same error for a text that begins `offset` characters earlier."""
        span = None if self.span is None else Span(self.span.start + offset, self.span.end + offset)
        return ScheduleError(self.message, self.fix, span, self.key, self.index)

    def within(self, key: str, index: int | None = None) -> ScheduleError:
        """The same error, placed at a key of a table and at an entry of its array."""
        return ScheduleError(self.message, self.fix, self.span, key, index)


LONGEST_TEXT = 1000


def refuse_long(text: str) -> None:
    """Raises ScheduleError for a text longer than any time; Python itself refuses to read numbers of 4,300 digits."""
    if len(text) > LONGEST_TEXT:
        raise ScheduleError(
            f"{len(text)} characters are too many for a time", "write a shorter one", Span(0, 40)
        )
