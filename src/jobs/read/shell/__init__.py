"""Shell scripts as facts: statements, words, redirects, traps, functions, here-documents, with their places.

No rule reads shell text by itself: `read_script` gives a `Script`, `flow` and `values` answer questions about it.
"""

from __future__ import annotations

from jobs.read.shell.script import Script, Shell, Trap, is_shell, read_script, shell_of

__all__ = ["Script", "Shell", "Trap", "is_shell", "read_script", "shell_of"]
