"""The lock's folder as a value, and what one step of a program does to it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

Entries = tuple[tuple[str, str], ...]
"""Name and content (the target of a symlink, the text of a file), sorted."""

Answer = Hashable


class Request(NamedTuple):
    """A step that a program is about to take.

    link NAME CONTENT   create exclusively: True, or False when the name is there (symlink, or mkdir without content)
    write NAME CONTENT  create or overwrite
    read NAME           the content, or None
    exists NAME         True or False
    remove NAME         True, whether it was there or not
    rmdir NAME          remove NAME unless there is anything below it: True or False
    list                the names of all successors' links
    lives ID            whether that starter is alive (no step on the folder)
    hold                the program holds the lock; answered when it starts to give it back
    sleep               the program waits
    end                 the program has ended; `name` says how: done, lost, refused
    """

    kind: str
    name: str = ""
    content: str = ""

    def __str__(self) -> str:
        return " ".join(word for word in self if word)


NO_STEP = frozenset({"lives", "hold", "sleep"})
"""Requests that leave the folder alone and are not about it."""

PROGRAM_STEPS = frozenset({"link", "remove"})
"""Steps for which the shell starts a program that changes the folder: it can outlive the shell, or be killed."""


def perform(entries: Entries, request: Request) -> tuple[Entries, Answer]:
    """The folder after a step, and the step's answer."""
    files = dict(entries)
    kind, name, content = request
    answer: Answer = True
    if kind == "read":
        return entries, files.get(name)
    if kind == "exists":
        return entries, name in files
    if kind == "list":
        return entries, tuple(entry for entry in files if entry.startswith("after."))
    if kind == "link":
        answer = name not in files
        files.setdefault(name, content)
    elif kind == "write":
        files[name] = content
    elif kind == "remove":
        files.pop(name, None)
    elif kind == "rmdir":
        answer = not any(entry.startswith(f"{name}/") for entry in files)
        if answer:
            files.pop(name, None)
    else:
        raise ValueError(kind)
    return tuple(sorted(files.items())), answer
