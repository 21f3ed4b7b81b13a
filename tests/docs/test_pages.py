"""The documentation: every shell block runs and shows what comes, every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.page import PAGES, TOP, blocks, play, same
from tests.tools import require_tool

NOT_RUN_AT_MOST = 5
LINKED = sorted(path.relative_to(TOP) for path in [TOP / "README.md", *(TOP / "docs").rglob("*.md")])
_LINK = re.compile(r"(?<!!)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def with_commands() -> list[Path]:
    """The pages that have something to run."""
    return [page for page in PAGES if any(block.how == "run" for block in blocks((TOP / page).read_text()))]


@pytest.mark.parametrize("page", with_commands(), ids=str)
def test_the_commands_of_a_page_do_what_it_shows(page: Path, tmp_path: Path) -> None:
    require_tool("bash")
    faults = [run.fault for run in play(page, tmp_path) if run.fault]
    assert not faults, "\n\n".join(faults)


def test_what_is_not_run_has_a_reason_and_stays_rare() -> None:
    left = [block for page in PAGES for block in blocks((TOP / page).read_text()) if block.how == "not run"]
    assert all(len(block.what) > 20 for block in left), left
    assert len(left) <= NOT_RUN_AT_MOST


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    found: dict[str, int] = {}
    made = set()
    for heading in re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text()), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        made.add(f"{anchor}-{found[anchor]}" if anchor in found else anchor)
        found[anchor] = found.get(anchor, 0) + 1
    return made


def dead_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    dead = []
    for link in _LINK.findall(_FENCED.sub("", page.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", LINKED, ids=str)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    assert dead_links(TOP / page) == []


def test_the_link_check_sees_what_is_dead(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A `b`: c\n[good](#a-b-c) [bad](#a) [gone](no.md) [far](https://example.com)\n```\n[x](y)\n```\n"
    )
    assert dead_links(page) == ["#a", "no.md"]


def test_no_page_invents_an_address_of_this_project() -> None:
    """The repository has no public address yet: a made-up owner would lead people to a stranger's code."""
    address = re.compile(r"(?:github\.com|gitlab\.com|ghcr\.io)[/:]([\w.<>-]+)/launchd-jobs|brew tap (\S+)")
    found = [
        f"{path}: {match[0]}"
        for path in [*LINKED, Path("pyproject.toml"), Path("CHANGELOG.md")]
        for match in address.finditer((TOP / path).read_text())
        if match[1] != "OWNER"
    ]
    assert found == []


@pytest.mark.parametrize(
    ("shown", "output", "timed", "expected"),
    [
        (
            "[jobs 2026-12-01T04:41:31+0000] x: ok (0 s)",
            "[jobs 2027-01-01T00:00:00+0000] x: ok (2 s)",
            False,
            True,
        ),
        ("2026-12-01 09:30", "2026-12-01 09:31", True, False),
        ("2 files", "3 files", False, False),
        ("a\n...\nd", "a\nb\nc\nd", False, True),
        ("a\n...\nd", "b\nc\nd", False, False),
    ],
)
def test_what_counts_as_the_same(shown: str, output: str, timed: bool, expected: bool) -> None:
    assert same(shown, output, timed=timed) is expected
