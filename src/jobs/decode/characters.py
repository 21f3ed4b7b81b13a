"""Characters that no plist, argument or variable can carry."""

from __future__ import annotations

import re

from jobs.decode.findings import Findings
from jobs.read.nodes import Array, Node, Scalar, Table
from jobs.text import Span

# XML 1.0, section 2.2: a plist cannot hold these; and no string of C holds a NUL.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def refuse_unfit(node: Node, findings: Findings) -> None:
    """Note every string, key or value, with a character that cannot be carried."""
    if isinstance(node, Table):
        for name, entry in node.entries.items():
            _check(name, entry.key, findings)
            refuse_unfit(entry.node, findings)
    elif isinstance(node, Array):
        for item in node.items:
            refuse_unfit(item, findings)
    elif isinstance(node, Scalar) and isinstance(node.value, str):
        _check(node.value, node.span, findings)


def _check(text: str, span: Span, findings: Findings) -> None:
    match = _UNFIT.search(text)
    if match is not None and not findings.within(span):
        code = ord(match[0])
        what = "a NUL character" if code == 0 else f"the character U+{code:04X}"
        reason = "no argument, path or variable can hold it" if code == 0 else "no plist can hold it"
        findings.add("M008", span, f"the string has {what}: {reason}", "take it out")
