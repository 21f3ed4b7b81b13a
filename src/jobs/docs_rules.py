"""Write the rules' pages: `python -m jobs.docs_rules [FOLDER]` (docs/rules)."""

from __future__ import annotations

import sys
from pathlib import Path

from jobs.lint.docs import pages


def write(folder: Path) -> int:
    """How many pages were written; pages of rules that are gone are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = pages()
    for old in folder.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return len(texts)


if __name__ == "__main__":
    print(write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/rules")), "pages")
