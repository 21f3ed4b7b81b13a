"""Property lists inside scripts: the here-documents of installers."""

from __future__ import annotations

import re

from jobs.diagnostics import Diagnostic
from jobs.lint.engine import Selection, diagnostic, rules_for, tidy
from jobs.lint.rule import Context
from jobs.read.plist import parse_plist_text
from jobs.text import SourceFile

# What the shell puts into a here-document whose delimiter is not quoted. `\$` stays a dollar sign.
SHELL = re.compile(r"(?<!\\)(?:\$(?:[A-Za-z_]\w*|\{[^}]*\}|\((?:[^()]|\([^()]*\))*\)|[0-9@*#?$!-])|`[^`]*`)")


def lint_embedded_plist(
    text: str,
    *,
    shell_expands: bool,
    context: Context,
    source: SourceFile | None = None,
    offset: int = 0,
    target: str = "",
    selection: Selection | None = None,
) -> list[Diagnostic]:
    """The findings in a property list that a script writes; empty for a text that is none.

    `text` is the here-document as it stands in the script `source`, from `offset` on; places are in the script.
    `shell_expands` is False for a quoted delimiter: variables stay as typed then, and that is an error. `target` is
    the file that is written, if known: its folder tells an agent from a daemon.
    """
    if "<plist" not in text and "<key>" not in text:
        return []
    selection = Selection() if selection is None else selection
    source = SourceFile(target or "here-document", text) if source is None else source
    file = parse_plist_text(
        text, target or source.path, inside=(source, offset), filler=SHELL if shell_expands else None
    )
    sources = {source.path: source}
    found = [
        diagnostic(hit, rule, sources)
        for rule in rules_for("plist", selection)
        for hit in rule.check(file, context)
    ]
    return tidy(found)
