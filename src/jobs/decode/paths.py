"""Paths of the manifest, made absolute for the Mac that runs the jobs."""

from __future__ import annotations

import re

from jobs.read.toml_tree import quoted

CONTROL = re.compile(r"[\x00-\x1f\x7f]")
UNCARRIED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""In a path: tabs and line ends reach the job through property list and wrapper, other control characters do not."""
VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


class PathError(ValueError):
    """A text that is no usable path; `code` tells whether it is a bad value (M004) or cannot be carried (M008)."""

    def __init__(self, message: str, fix: str, code: str = "M004") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.code = code


def expand(text: str, root: str, home: str) -> str:
    """The absolute path: `~` is `home`, a relative path is under `root`. `..` stays, for the system to follow.

    Raises PathError for what nothing expands (`$VAR`, `~user`) and for control characters.
    """
    if UNCARRIED.search(text):
        raise PathError("there is a control character in the path", "take it out", "M008")
    if not text.strip():
        raise PathError("that is no path", "write a path, or leave the key out")
    if VARIABLE.search(text):
        raise PathError("nothing expands a variable in a path", variable_fix(text, root, home))
    if text.startswith("~") and text != "~" and not text.startswith("~/"):
        return _refuse_user(text)
    if text == "~" or text.startswith("~/"):
        text = home + text[1:]
    elif not text.startswith("/"):
        text = f"{root}/{text}"
    return tidy(text)


def _refuse_user(text: str) -> str:
    name = text[1:].split("/", 1)[0]
    raise PathError(
        f"~{name} is the home of another account: nothing expands it",
        f'write the path itself, such as "/Users/{text[1:]}"',
    )


def variable_fix(text: str, root: str, home: str) -> str:
    """What to write for a path with variables."""
    known = {"HOME": home, "PWD": root}
    names = [match[1] or match[2] for match in VARIABLE.finditer(text)]
    if all(known.get(name) for name in names):
        written = re.sub(r"^\$(?:\{HOME\}|HOME)(?=/|$)", "~", text)
        written = VARIABLE.sub(lambda match: known[match[1] or match[2]], written)
        return f"write {quoted(written)}"
    return "write the path itself; ~ stands for home, and a relative path is under root"


def tidy(path: str) -> str:
    """The path without doubled slashes, `.` parts and a slash at its end."""
    parts = [part for part in path.split("/") if part not in {"", "."}]
    return ("/" if path.startswith("/") else "") + "/".join(parts)
