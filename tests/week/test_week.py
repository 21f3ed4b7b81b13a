"""`jobs week` in the terminal, as JSON and as a page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jobs.errors import MachineError, UsageError
from tests.week.conftest import NOON, Call

TABLE = """\
          Tue 1 Dec    Wed 2 Dec    Thu 3 Dec    Fri 4 Dec    Sat 5 Dec    Sun 6 Dec    Mon 7 Dec
guard claude
note      09:30        09:30!       09:30        09:30        09:30        09:30        09:30
ideas                  09:35!
without a guard
night                                                                      02:30
prices    06:10        06:10        06:10        06:10        06:10
letter                              06:30!
site      06:30        06:30        06:30!       06:30        06:30        06:30        06:30
          18:30        18:30        18:30        18:30        18:30        18:30        18:30
sales     36 times     36 times     36 times     36 times                               36 times
          09:00        09:00        09:00        09:00                                  09:00
          to 17:45     to 17:45     to 17:45     to 17:45                               to 17:45

Collisions (marked !)
  Wed 2026-12-02  note 09:30, ideas 09:35: guard claude
  Thu 2026-12-03  letter 06:30, site 06:30: lock site

Not in these days
  month-end

Without a time of day
  inbox  every 30 min
  sync  when /Users/kim/in changes, when it is loaded
"""


def test_table(call: Call) -> None:
    status, out, _ = call("week")
    assert status == 0
    assert out == TABLE


def test_a_narrow_terminal_gets_blocks(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    _, out, _ = call("week")
    assert max(len(line) for line in out.split("\n\n")[0].splitlines()) <= 50
    assert out.count("guard claude\n") == 2 + 1  # two blocks, one collision


def test_a_change_of_the_clock(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    _, out, _ = call("week", "--from", "2027-03-13", "--days", "2")
    assert out.splitlines()[:2] == [
        "          Sat 13 Mar    Sun 14 Mar",
        "                        clock +1h",
    ]
    assert re.search(r"^night +03:00$", out, re.MULTILINE)


def test_json(call: Call) -> None:
    status, out, _ = call("week", "--json", "--days", "3")
    record = json.loads(out)
    assert status == 0
    assert (record["from"], record["days"], record["zone"], record["now"]) == (
        "2026-12-01",
        3,
        "Asia/Tokyo",
        NOON,
    )
    jobs = {job["job"]: job for job in record["jobs"]}
    assert jobs["note"]["expected"] == 720
    assert jobs["site"]["expected"] is None
    assert jobs["prices"]["slots"][0] == {"slot": "20261130T1610", "epoch": 1796073000}
    assert "off" not in jobs
    assert [collision["wanted"] for collision in record["collisions"]] == ["guard claude", "lock site"]
    assert [slot["job"] for slot in record["collisions"][0]["slots"]] == ["note", "ideas"]
    assert [other["job"] for other in record["others"]] == ["inbox", "sync"]


class Page(HTMLParser):
    """What a test asks of a page: its elements, and that each is closed."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [
            attributes for _, attributes in self.elements if name in (attributes.get("class") or "").split()
        ]


def page_of(call: Call, *words: str) -> tuple[str, Page]:
    status, out, _ = call("week", "--html", "-", *words)
    assert status == 0
    page = Page(out)
    assert page.open == []
    return out, page


def test_the_page_needs_nothing_else(call: Call) -> None:
    text, page = page_of(call)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "form"}
        assert not {"src", "srcset", "action"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")


def test_the_policy_allows_the_script_and_nothing_more(call: Call) -> None:
    text, page = page_of(call)
    (policy,) = [
        attributes["content"]
        for tag, attributes in page.elements
        if tag == "meta" and "http-equiv" in attributes
    ]
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy.replace("style-src 'unsafe-inline'", "")


def test_what_the_manifest_says_is_escaped(call: Call) -> None:
    text, page = page_of(call)
    assert "<a day>" not in text
    assert any(
        name["title"] == 'every day at 09:30\nPost "one" article <a day>' for name in page.of_class("name")
    )


def test_marks(call: Call) -> None:
    _, page = page_of(call)
    labels = [mark["aria-label"] or "" for mark in page.of_class("mark") if "aria-label" in mark]
    assert (
        "Wed 2 Dec 09:30 note; in 21 h 30 min; usually 12 min; asks guard claude; guard claude is wanted by ideas 09:35 too"
        in labels
    )
    assert (
        "Wed 2 Dec 06:10 prices; in 18 h 10 min; length not known yet; slot 16:10 in America/New_York"
        in labels
    )
    assert "Tue 1 Dec 09:00 to 17:45 sales; 36 slots; length not known yet" in labels
    assert len(page.of_class("band")) == 5 + 1  # the sixth is the legend's
    assert sum(mark.get("tabindex") is None for mark in page.of_class("mark") if "aria-label" in mark) == 7
    (lane,) = page.of_class("idle")
    assert lane["class"] == "lane idle"


def test_now_and_the_change_of_the_clock_are_drawn(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    _, page = page_of(call)
    assert [line.get("style") for line in page.of_class("now")] == ["left: 7.1429%"] * 2
    assert all("hidden" not in line for line in page.of_class("now"))
    assert page.of_class("shift") == []
    monkeypatch.setenv("TZ", "America/New_York")
    text, page = page_of(call, "--from", "2027-03-14", "--days", "1")
    assert all("hidden" in line for line in page.of_class("now"))
    assert "the clock moves by +1 h at 02:00" in text
    assert "slot 02:30, a time that the clock skips" in text


def test_the_page_is_written_whole(call: Call, tmp_path: Path) -> None:
    status, out, _ = call("week", "--html", "week.html")
    assert (status, out) == (0, "week.html: 7 days, 8 jobs, 2 collisions\n")
    assert (tmp_path / "week.html").read_text().endswith("</html>\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        pytest.param(
            ("--html", "none/week.html"), MachineError.status, "cannot write none/week.html", id="no folder"
        ),
        pytest.param(
            ("--open",), UsageError.status, "--open needs a page: add --html FILE", id="open without a page"
        ),
        pytest.param(("--days", "0"), UsageError.status, "--days", id="no days"),
        pytest.param(("--days", "-1"), UsageError.status, "--days", id="days below none"),
        pytest.param(("--from", "9999-12-30"), UsageError.status, "too far away", id="the end of time"),
        pytest.param(("--from", "0001-01-01"), UsageError.status, "too far away", id="the beginning of time"),
        pytest.param(("--html", "."), MachineError.status, "it is a folder", id="page over a folder"),
        pytest.param(("--html", "a", "--json"), UsageError.status, "write one of them", id="page and JSON"),
        pytest.param(("--from", "soon"), UsageError.status, "'soon' is no time", id="no time"),
    ],
)
def test_refused(call: Call, words: tuple[str, ...], status: int, message: str) -> None:
    found, _, err = call("week", *words)
    assert found == status
    assert message in err


def test_many_jobs(manifest: Path, call: Call) -> None:
    jobs = "".join(
        f'[jobs.job-{number}]\nrun = ["a"]\nat = "{number % 24:02d}:{number % 60:02d}"\nguard = "claude"\n'
        for number in range(400)
    )
    manifest.write_text(manifest.read_text() + jobs)
    text, page = page_of(call)
    assert len(page.of_class("lane")) == 408
    assert "more: <code>jobsctl week --json</code>" in text
