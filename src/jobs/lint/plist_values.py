"""What rules ask of the strings of a job: unexpanded variables, home folders, the value that was meant."""

from __future__ import annotations

import re

from jobs.lint.plist_job import STANDARD_PATH, PlistJob
from jobs.lint.rule import Context
from jobs.read.plist_value import PlistValue

# Upper-case names are a shell's or the system's; a lower-case one counts only where it makes up a whole part of a path,
# as passwords and patterns hold dollar signs too.
VARIABLE = re.compile(
    r"\$(?:[A-Z_][A-Z0-9_]+\b|\{[A-Za-z_]\w*(?:[:#%/+=?-][^}]*)?\}|\([A-Za-z_./][^)]*\)|[a-z_]\w*(?=[/:]|$))"
    r"|`[A-Za-z_./][^`]*`"
)


def variable_in(text: str) -> str | None:
    """The first unexpanded variable or command in a text, or None."""
    for found in VARIABLE.finditer(text):
        word = found.group()
        if (
            word[0] == "$"
            and (word[1].islower() or word[1] == "_")
            and found.start()
            and text[found.start() - 1] not in "/:= "
        ):
            continue  # pa$sword
        return word
    return None


def tilde_in(text: str, *, list_of_paths: bool = False) -> bool:
    """Whether a text begins with a home folder's ~; with `list_of_paths` any part between colons counts."""
    pattern = (
        r"(?:^|:)~(?:[A-Za-z_][\w.\-]*)?(?=/|:|$)" if list_of_paths else r"^~(?:[A-Za-z_][\w.\-]*)?(?=/|$)"
    )
    return re.search(pattern, text.strip()) is not None


def expanded(text: str, job: PlistJob, context: Context, *, name: str = "") -> str:
    """What the author meant, as far as it is known: ~ and $HOME as the home folder, $PATH as launchd's own."""
    home = (
        job.home or (context.manifest.project.home if context.manifest is not None else None) or "/Users/NAME"
    )
    user = home.rpartition("/")[2]
    text = re.sub(r"(^|:)~(?=/|:|$)", lambda found: found.group(1) + home, text.strip())
    for variable, value in (
        ("HOME", home),
        ("USER", user),
        ("LOGNAME", user),
        ("PATH", ":".join(STANDARD_PATH)),
        ("PWD", ""),
    ):
        if variable != name or variable == "PATH":
            text = re.sub(rf"\$(?:{variable}\b|\{{{variable}\}})", lambda _, value=value: value, text)  # type: ignore[misc]
    return text


def known_home(text: str) -> bool:
    """Whether everything in the text that waits for expansion can be told from the home folder and launchd's PATH."""
    return (
        VARIABLE.search(
            re.sub(r"\$(?:(?:HOME|USER|LOGNAME|PATH)\b|\{(?:HOME|USER|LOGNAME|PATH)\})", "", text)
        )
        is None
    )


def short(value: PlistValue | str, width: int = 60) -> str:
    """A string for a message, cut to a readable length and on one line."""
    text = value if isinstance(value, str) else value.text or ""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"
