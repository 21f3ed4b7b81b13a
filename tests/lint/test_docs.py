"""The pages of the rules are what the records say."""

from __future__ import annotations

from pathlib import Path

from jobs.docs_rules import write
from jobs.lint.docs import pages

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def test_pages_are_current() -> None:
    lying = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert lying == pages(), "run: python -m jobs.docs_rules"


def test_pages_of_rules_that_are_gone_are_removed(tmp_path: Path) -> None:
    (tmp_path / "Z999.md").write_text("old")
    write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(pages())
