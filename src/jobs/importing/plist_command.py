"""Program and ProgramArguments as `run`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from jobs.decode.values import Paths
from jobs.importing.command import SHELL, glob_line, holds_code, split_line, with_home
from jobs.importing.found import Candidate, Fate
from jobs.model.macos_programs import STANDARD_PROGRAMS
from jobs.read.plist_value import PlistValue
from jobs.text import Place


def string_at(root: PlistValue, key: str, candidate: Candidate, *touches: str) -> PlistValue | None:
    """The string at a key, if it is not empty; what is no string is noted, for launchd ignores it."""
    value = root.get(key)
    if value is None:
        return None
    if value.kind != "string":
        candidate.note(Fate.LOST, f"{key} is a {value.kind}, and must be a string", value.place, "", *touches)
        return None
    return value if value.text else None


class CommandReader:
    """Reads the command of one property list into one candidate."""

    def __init__(self, root: PlistValue, candidate: Candidate, home: str) -> None:
        self.root, self.candidate, self.home = root, candidate, home
        self.paths = Paths("/", home)

    def read(self) -> None:
        """`run` from Program and ProgramArguments."""
        program = string_at(self.root, "Program", self.candidate, "argv")
        arguments = self.root.get("ProgramArguments")
        words: list[str] = []
        if arguments is not None and arguments.kind != "array":
            self.candidate.note(
                Fate.LOST,
                f"ProgramArguments is a {arguments.kind}, and must be an array",
                arguments.place,
                "",
                "argv",
            )
            if arguments.kind == "string" and program is None and arguments.text:
                words = [arguments.text]
        for item in arguments.items if arguments is not None else ():
            if item.kind != "string" or item.text is None:
                self.candidate.note(
                    Fate.REFUSED, f"an argument is a {item.kind}: launchd does not take such a job", item.place,
                    f"write <string>{item.value if item.value is not None else ''}</string>", "argv",
                )  # fmt: skip
                return
            if "\0" in item.text:
                self.candidate.note(Fate.REFUSED, "an argument holds a NUL character", item.place, "", "argv")
                return
            words.append(item.text)
        place = (program or arguments or self.root).place
        if program is not None and program.text is not None:
            if words and words[0] != program.text:
                same = PurePosixPath(words[0]).name == PurePosixPath(program.text).name
                self.candidate.note(
                    Fate.CHANGED if same else Fate.LOST,
                    f'the program is told that its name is "{words[0]}", and will see its path instead',
                    arguments.place if arguments else place, "", "argv0",
                )  # fmt: skip
            words = [program.text, *words[1:]]
        if not words or not words[0]:
            bundle = self.root.get("BundleProgram")
            told = "BundleProgram belongs to an app" if bundle is not None else "there is nothing to run"
            self.candidate.note(Fate.REFUSED, told, place, "write ProgramArguments", "argv")
            return
        run = self.mended(words, place)
        self.candidate.keys["run"] = run
        self.candidate.argv = (SHELL, "-c", run) if isinstance(run, str) else tuple(run)

    def mended(self, words: list[str], place: Place) -> list[str] | str:
        """The words as they were meant."""
        globbing = self.root.get("EnableGlobbing")
        if len(words) == 1 and (split := split_line(words[0])) is not None:
            self.candidate.note(
                Fate.MENDED, f'a whole command line in one string: "{words[0]}"; imported as {len(split)} words', place,
                "", "argv",
            )  # fmt: skip
            words = list(split)
        program = words[0]
        if globbing is not None and globbing.truth is True:
            return self.globbed(words, globbing.place)
        code = holds_code(words)
        for index, word in enumerate(words):
            if index and code:
                break
            expanded = with_home(word, self.home)
            if expanded != word:
                self.candidate.note(
                    Fate.MENDED,
                    f'"{word}": launchd expands nothing; imported as "{expanded}"',
                    place,
                    "",
                    "argv",
                )
                words[index] = expanded
        if "/" not in program and not program.startswith("~"):
            self.bare(words, place)
        fault = self.paths.fault(words[0]) if "/" in words[0] or words[0].startswith("~") else None
        if fault is not None:
            self.candidate.note(
                Fate.REFUSED, f'the program "{words[0]}": {fault[0]}', place, fault[1], "argv"
            )
        elif "/" in words[0] and not words[0].startswith("/"):
            words[0] = f"/{words[0]}"
            self.candidate.note(
                Fate.MENDED, f'the program "{words[0][1:]}" is looked for under /', place, "", "argv"
            )
        return words

    def globbed(self, words: list[str], place: Place) -> list[str] | str:
        """EnableGlobbing: ~ and wildcards in the arguments, the program's among them."""
        if not any(re.search(r"[*?\[]", word) for word in words):
            self.candidate.note(
                Fate.MENDED, "EnableGlobbing: ~ is written out", place, "", "argv", "raw.EnableGlobbing"
            )
            return [with_home(word, self.home) if word.startswith("~") else word for word in words]
        line = glob_line(words, self.home)
        if line is None:
            self.candidate.note(
                Fate.LOST,
                "EnableGlobbing beside backslashes",
                place,
                "write `run` as a line for the shell",
                "raw.EnableGlobbing",
            )
            return words
        self.candidate.note(
            Fate.MENDED,
            "EnableGlobbing: imported as a line for /bin/sh",
            place,
            "",
            "argv",
            "raw.EnableGlobbing",
        )
        return line

    def bare(self, words: list[str], place: Place) -> None:
        """A program without a folder: launchd looks in its own four folders, the wrapper on the job's PATH."""
        known = STANDARD_PROGRAMS.get(words[0])
        if known is not None:
            self.candidate.note(
                Fate.MENDED, f'the bare program "{words[0]}" is {known} for launchd', place, "", "argv"
            )
            words[0] = known
        elif words[0].startswith("-"):
            self.candidate.note(
                Fate.REFUSED, f'the program "{words[0]}" begins with a dash', place, "", "argv"
            )
        else:
            self.candidate.note(
                Fate.MENDED,
                f'the bare program "{words[0]}": launchd looks only in /usr/bin:/bin:/usr/sbin:/sbin; the wrapper looks '
                "on the job's PATH",
                place,
            )
