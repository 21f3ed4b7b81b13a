"""Streams, colour, and how errors are shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from jobs.diagnostics import Diagnostic, Severity
from jobs.errors import JobsError, ManifestError

RED, YELLOW, BLUE, GREEN, BOLD, DIM = "31", "33", "34", "32", "1", "2"
SEVERITY_COLOUR = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: BLUE}


def wants_colour(stream: TextIO) -> bool:
    """Whether escape codes belong on this stream: a terminal, NO_COLOR not set (https://no-color.org), TERM not dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str, stream: TextIO) -> str:
    """The text in a colour, or as it is where colour is not wanted."""
    return f"\x1b[{colour}m{text}\x1b[0m" if wants_colour(stream) else text


def render(diagnostic: Diagnostic, stream: TextIO) -> str:
    """A finding as text: place, code, severity, message; the source line with a caret run; how to fix it."""
    from jobs.lint.report.text import render_one

    return render_one(diagnostic, lambda part, colour: paint(part, colour, stream))


def print_diagnostics(diagnostics: Sequence[Diagnostic], stream: TextIO | None = None) -> None:
    """Print findings in report order, to stderr unless told otherwise."""
    stream = sys.stderr if stream is None else stream
    for diagnostic in sorted(diagnostics, key=Diagnostic.sort_key):
        print(render(diagnostic, stream), file=stream)


def print_error(error: JobsError) -> None:
    """Print an expected error: its diagnostics if it has any, then its line."""
    if isinstance(error, ManifestError):
        print_diagnostics(error.diagnostics)
    print(f"{paint('error', RED, sys.stderr)}: {error}", file=sys.stderr)


def print_crash(error: Exception, words: Sequence[str]) -> None:
    """Print a report of a fault in this program, ready to be pasted into an issue."""
    import platform
    import traceback

    from jobs import __version__

    print("jobs met a fault of its own. Please report what follows:", file=sys.stderr)
    print(f"  jobs {__version__}, Python {platform.python_version()}, {platform.platform()}", file=sys.stderr)
    print(f"  command: jobsctl {' '.join(words)}", file=sys.stderr)
    for line in traceback.format_exception(error):
        print("  " + line.rstrip("\n").replace("\n", "\n  "), file=sys.stderr)
