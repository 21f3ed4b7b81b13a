"""`jobs simulate --html`: one page of the same family as the week's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jobs.cli.app import main
from jobs.errors import MachineError, UsageError
from tests.browser import browser
from tests.simulate.docs import PAGES
from tests.week.test_browser import OVERLAPS, SIZES
from tests.week.test_week import Page

DAY = ("simulate", "--from", "2026-12-01", "--to", "2026-12-02")
BAD = (
    "--asleep",
    "23:30-09:10",
    "--off",
    "2026-12-01T17:30..2026-12-01T18:30",
    "--quota-out",
    "claude=08:50-10:00",
)


@pytest.fixture(autouse=True)
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The manifest of docs/simulate.md, with a text that would like to be HTML."""
    found = re.search(r"```toml\n(.*?)```", PAGES[1].read_text(), re.DOTALL)
    assert found is not None
    path = tmp_path / "jobs.toml"
    path.write_text(found[1].replace("[jobs.digest]\n", '[jobs.digest]\nabout = "</script><img src=x>"\n'))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.chdir(tmp_path)
    return path


def test_the_page_tells_what_became_of_each_slot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DAY, *BAD, "--html", "-"]) == 0
    text = capsys.readouterr().out
    page = Page(text)
    assert page.open == []
    assert "<img" not in text
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    labels = [mark["aria-label"] for mark in page.of_class("mark") if "aria-label" in mark]
    told = "refused at 09:10:05 (claude: open until 10:02), made up at 10:10"
    assert labels == [
        f"Tue 1 Dec 08:55 digest; {told}",
        f"Tue 1 Dec 08:55 digest; {told}",
        "Tue 1 Dec 09:00 article; refused at 09:10:05 (claude: open until 10:02), made up at 10:11:10",
        "Tue 1 Dec 09:00 article; refused at 09:10:05 (claude: open until 10:02), made up at 10:11:10",
        "Tue 1 Dec 18:00 article; missed: the Mac was off",
        "Tue 1 Dec 09:40 to 23:00 inbox; 25 starts",
    ]
    kinds = {kind for kind in ("missed", "due-at", "way", "asleep", "off", "out") if page.of_class(kind)}
    assert kinds == {"missed", "due-at", "way", "asleep", "off", "out"}
    assert "25 starts, 25 ran; from 09:40" in text.replace("12-01 ", "")


def test_slots_that_are_missed_in_a_row_share_a_line(
    manifest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest.write_text(manifest.read_text() + '[jobs.often]\nrun = ["a"]\ncron = "* * * * *"\n')
    assert main([*DAY, "--asleep", "01:00-04:00", "--html", "-", "often"]) == 0
    text = capsys.readouterr().out
    assert text.count('<b class="missed">often</b>') == 1
    assert "to Tue 1 Dec 03:59: 180 slots, all missed" in text


def test_it_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DAY, "--html", "day.html"]) == 0
    assert capsys.readouterr().out == "day.html: 3 slots, 0 missed\n"
    assert (tmp_path / "day.html").read_text().endswith("</html>\n")


def test_overlapping_stretches_are_one(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for stretches in (["23:30-08:10", "07:00-09:30", "08:00-08:30"], ["23:30-09:30"]):
        assert main([*DAY, *(word for one in stretches for word in ("--asleep", one))]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert "the Mac was asleep" in outputs[0]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        pytest.param(
            ["--html", "no/day.html"], MachineError.status, "cannot write no/day.html", id="no folder"
        ),
        pytest.param(["--html", "a", "--json"], UsageError.status, "write one of them", id="page and JSON"),
        pytest.param(
            ["--html", "a", "--to", "2027-01-03"], UsageError.status, "a page shows 31 days", id="too long"
        ),
        pytest.param(["--html", "."], MachineError.status, "it is a folder", id="a folder"),
        pytest.param(["--asleep", "soon"], UsageError.status, "no stretch of time", id="no stretch"),
        pytest.param(["--asleep", "09:00-09:00"], UsageError.status, "ends when it begins", id="no length"),
        pytest.param(
            ["--quota-out", "claud=09:00-10:00"], UsageError.status, "did you mean 'claude'?", id="guard"
        ),
        pytest.param(
            ["--fail", "digets=09:00"], UsageError.status, "did you mean 'digest'?", id="failing job"
        ),
        pytest.param(["--length", "digets=9m"], UsageError.status, "did you mean 'digest'?", id="long job"),
        pytest.param(["digets"], UsageError.status, "did you mean 'digest'?", id="job"),
        pytest.param(["--to", "0001-01-01"], UsageError.status, "too far away", id="the beginning of time"),
        pytest.param(["--reading", "843"], UsageError.status, "write documented or 842", id="reading"),
    ],
)
def test_refused(words: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DAY, *words]) == status
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_in_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "day.html"
    days = ("simulate", "--from", "2026-12-01", "--to", "2026-12-05T12:00")
    assert main([*days, *BAD, "--html", str(path)]) == 0
    with browser(tmp_path / "profile") as page:
        for size, (width, height, phone) in SIZES.items():
            for scheme in ("light", "dark"):
                page.window(width, height, scheme=scheme, phone=phone)
                page.open(path)
                page.shoot(tmp_path / f"day-{size}-{scheme}.png")
                assert page.complaints() == []
                assert page.requests() == [path.as_uri()]
                assert page.run(OVERLAPS) == []
                assert page.run("document.documentElement.scrollWidth") == width
        page.press("Tab")
        while not page.run("document.activeElement.matches('.mark')"):
            page.press("Tab")
        page.press("ArrowRight")
        page.press("ArrowDown")
        assert "article" in page.run("document.querySelector('aside b').textContent")
