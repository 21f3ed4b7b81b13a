"""The page of `jobs week` in a real browser: light, dark, on a phone, printed, with the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Page, browser
from tests.week.conftest import Call

pytestmark = pytest.mark.slow

SIZES = {"desk": (1440, 900, False), "small": (1024, 768, False), "phone": (390, 844, True)}
ODD = """
[jobs.a-very-long-name-of-a-job-that-somebody-really-wrote-into-his-manifest]
about = "Überprüfung der Bücher – 毎日 </script><script>document.title = 'taken over'</script> and more"
run = ["a"]
at = ["02:30", "03:00", "mon#1 09:00", "mon-fri 18:05", { time = "19:00", day = "last" }]
guard = "claude"
[jobs.each-minute]
run = ["a"]
cron = "* * * * *"
[jobs.ten]
run = ["a"]
cron = "0 8-17 * * *"
[jobs.thirteen]
run = ["a"]
cron = "0 8-20 * * *"
[jobs.midnight]
run = ["a"]
at = ["00:00", "23:59"]
[jobs.in]
run = ["a"]
watch = ["/Users/kim/<img src=x onerror=document.title='taken-over'>"]
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def week(call: Call, tmp_path: Path) -> Path:
    """The week of the manifest."""
    path = tmp_path / "week.html"
    assert call("week", "--html", str(path))[0] == 0
    return path


def contrast(page: Page, selector: str) -> float:
    """The contrast (WCAG 2.1) of an element's text on the sheet of the calendar."""
    light = []
    for which, style in ((selector, "color"), (".week", "backgroundColor")):
        text = page.run(f"getComputedStyle(document.querySelector({which!r})).{style}")
        parts = [int(part) / 255 for part in re.findall(r"\d+", text)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(light) + 0.05) / (min(light) + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_it_is_quiet_and_legible(page: Page, week: Path, tmp_path: Path, size: str, scheme: str) -> None:
    width, height, phone = SIZES[size]
    page.window(width, height, scheme=scheme, phone=phone)
    page.open(week)
    page.shoot(tmp_path / f"week-{size}-{scheme}.png")
    assert page.complaints() == []
    assert page.requests() == [week.as_uri()]
    assert page.run("innerWidth") == page.run("document.documentElement.scrollWidth") == width
    for text in (".name b", ".name small", ".mark span", ".dates time", ".facts .alarm"):
        assert contrast(page, text) > 4.5, text
    paper = page.run("getComputedStyle(document.documentElement).backgroundColor")
    assert (int(re.findall(r"\d+", paper)[0]) < 64) is (scheme == "dark")


def test_what_is_asked_from_outside_would_be_seen(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "other.html"
    path.write_text("<img src='http://127.0.0.1:9/x.png'><script>console.error('no')</script>")
    page.open(path)
    assert page.requests()[1:] == ["http://127.0.0.1:9/x.png"]
    assert any("no" in complaint for complaint in page.complaints())


def focused(page: Page) -> str:
    """The label of what has the focus, else its text."""
    found = page.run(
        "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
    )
    return str(found)


def test_the_keyboard_is_enough(page: Page, week: Path) -> None:
    page.window(1440, 900)
    page.open(week)
    page.press("Tab")
    assert focused(page) == "2 collisions"
    lanes = []
    for _ in range(7):
        page.press("Tab")
        lanes.append(focused(page).split(";")[0])
        assert page.run("document.activeElement.matches(':focus-visible')")
        assert page.run("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
        assert page.run("document.querySelector('aside b').textContent") == lanes[-1]
        assert not page.run("document.querySelector('aside').hidden")
    assert [lane.split()[-1] for lane in lanes] == [
        "note",
        "ideas",
        "night",
        "prices",
        "letter",
        "site",
        "sales",
    ]
    page.press("ArrowUp")
    assert focused(page).startswith("Tue 1 Dec 06:30 site")
    page.press("ArrowRight")
    assert focused(page).startswith("Tue 1 Dec 18:30 site")
    page.press("ArrowLeft")
    assert focused(page).startswith("Tue 1 Dec 06:30 site")
    page.press("ArrowLeft")
    assert focused(page).startswith("Tue 1 Dec 06:30 site"), "the first one stays"
    page.press("End")
    assert focused(page).startswith("Mon 7 Dec 18:30 site")
    page.press("ArrowUp")
    assert focused(page).startswith("Thu 3 Dec 06:30 letter")
    page.press("ArrowDown")
    assert focused(page).startswith("Thu 3 Dec 06:30 site")
    page.press("Home")
    assert focused(page).startswith("Tue 1 Dec 06:30 site")
    page.press("Tab", shift=True)
    assert focused(page).startswith("Thu 3 Dec 06:30 letter"), "one stop a lane"
    page.press("Escape")
    assert page.run("document.activeElement === document.body")
    assert page.run("document.querySelector('aside').hidden")


def test_enter_follows_the_link_to_the_collisions(page: Page, week: Path) -> None:
    page.window(390, 500, phone=True)
    page.open(week)
    page.press("Tab")
    page.press("Enter")
    page.drawn()
    assert page.run("document.querySelector('#collisions').getBoundingClientRect().top") < 500


def test_a_mark_tells_its_detail_under_the_mouse(page: Page, week: Path) -> None:
    page.window(1440, 900)
    page.open(week)
    place = page.run("(r => [r.x + r.width / 2, r.y + 5])(document.querySelectorAll('.track .mark')[1]"
                     ".getBoundingClientRect())")  # fmt: skip
    page.hover(*place)
    told = page.run("[...document.querySelectorAll('aside *')].map(part => part.textContent)")
    assert told == [
        "Wed 2 Dec 09:30 note",
        "in 21 h 30 min",
        "usually 12 min",
        "asks guard claude",
        "guard claude is wanted by ideas 09:35 too",
        "every day at 09:30",
        'Post "one" article <a day>',
    ]
    page.hover(700, 5)
    assert page.run("document.querySelector('aside').hidden")


def test_names_stay_in_sight(page: Page, week: Path) -> None:
    for size in ("small", "phone"):
        width, height, phone = SIZES[size]
        page.window(width, height, phone=phone)
        page.open(week)
        page.run("document.body.scrollLeft = 1e6")
        page.drawn()
        assert page.run("document.body.scrollLeft") > 100
        for name in ("note", "site"):
            box = page.run(f"(b => [b.left, b.right])([...document.querySelectorAll('.name b')].find("
                           f"b => b.textContent === {name!r}).getBoundingClientRect())")  # fmt: skip
            assert 0 <= box[0] < box[1] <= width


def test_it_prints(page: Page, week: Path, tmp_path: Path) -> None:
    page.window(1440, 900, scheme="dark")
    page.open(week)
    page.press("Tab")
    page.press("Tab")
    page.print_to(tmp_path / "week.pdf")
    pdf = (tmp_path / "week.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert {(round(float(width)), round(float(height))) for width, height in boxes} == {(842, 595)}
    page.ask("Emulation.setEmulatedMedia", media="print", features=[])
    paper = page.run("getComputedStyle(document.documentElement).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert page.run("getComputedStyle(document.querySelector('aside')).display") == "none"
    assert page.run("document.querySelector('.week').scrollWidth") < 297 / 25.4 * 96
    page.ask("Emulation.setEmulatedMedia", media="", features=[])


OVERLAPS = """
(() => {
  const found = [];
  const sheet = document.querySelector(".week").getBoundingClientRect();
  for (const track of document.querySelectorAll(".track")) {
    const words = [...track.querySelectorAll("span")];
    const boxes = words.map(word => word.getBoundingClientRect());
    const marks = [...track.querySelectorAll(".mark")].map(mark => mark.getBoundingClientRect());
    boxes.forEach((box, at) => {
      const name = `${track.previousElementSibling.firstChild.textContent} ${words[at].textContent}`;
      if (box.left < sheet.left || box.right > sheet.right) found.push(`${name} leaves the sheet`);
      for (const other of boxes.slice(at + 1)) {
        if (other.left < box.right && box.left < other.right) found.push(`${name} meets a word`);
      }
      for (const mark of marks) if (mark.left < box.right && box.left < mark.right) found.push(`${name} meets a mark`);
    });
  }
  return found;
})()
"""


@pytest.mark.parametrize("size", SIZES)
def test_odd_manifests_harm_nothing(
    page: Page, call: Call, manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    manifest.write_text(manifest.read_text() + ODD)
    monkeypatch.setenv("TZ", "Europe/Berlin")
    monkeypatch.setenv("JOBS_NOW", "1806195000")  # ten minutes before the clock changes
    path = tmp_path / "odd.html"
    assert call("week", "--html", str(path), "--from", "2027-03-25")[0] == 0
    width, height, phone = SIZES[size]
    page.window(width, height, phone=phone)
    page.open(path)
    page.shoot(tmp_path / f"odd-{size}.png")
    assert page.run("document.title") == "one-ceo: 25 to 31 March 2027"
    assert page.complaints() == []
    assert page.requests() == [path.as_uri()]
    assert page.run("document.querySelectorAll('img').length") == 0
    assert page.run(OVERLAPS) == []


def test_a_week_without_times(page: Page, call: Call, manifest: Path, tmp_path: Path) -> None:
    text = manifest.read_text()
    manifest.write_text(text[: text.index("[jobs.note]")] + '[jobs.inbox]\nrun = ["a"]\nevery = "30m"\n')
    path = tmp_path / "empty.html"
    assert call("week", "--html", str(path))[0] == 0
    page.open(path)
    assert page.complaints() == []
    assert page.run("document.querySelector('.week .nothing').textContent") == "No job has a time of day."


def test_a_thousand_jobs_scroll(page: Page, call: Call, manifest: Path, tmp_path: Path) -> None:
    jobs = "".join(
        f'[jobs.job-{number}]\nrun = ["a"]\ncron = "{number % 60} {number % 24},{(number + 5) % 24} * * *"\n'
        for number in range(1000)
    )
    manifest.write_text(manifest.read_text() + jobs)
    path = tmp_path / "many.html"
    assert call("week", "--html", str(path))[0] == 0
    page.window(1440, 900)
    before = page.main_thread_s()
    page.open(path)
    opened = page.main_thread_s()
    # Lanes out of sight are not laid out: the work does not grow with the jobs.
    drawn = page.run("[...document.querySelectorAll('.lane .name')].filter("
                     "name => name.checkVisibility({contentVisibilityAuto: true})).length")  # fmt: skip
    assert 20 < drawn < 200
    page.run("document.body.scrollTop = 1e9")
    page.drawn()
    scrolled = page.main_thread_s()
    last = page.run("[...document.querySelectorAll('.lane')].pop().getBoundingClientRect().bottom")
    assert page.run("document.body.scrollTop") > 30_000
    assert last < 900 + 30_000
    page.run("[...document.querySelectorAll('.lane')].pop().scrollIntoView()")
    page.drawn()
    box = page.run(
        "(r => [r.top, r.bottom])([...document.querySelectorAll('.lane')].pop().getBoundingClientRect())"
    )
    assert 0 <= box[0] < box[1] <= 900
    assert page.complaints() == []
    for what, begin, end in (("open", before, opened), ("scroll to the end", opened, scrolled)):
        print(what, {name: f"{end[name] - begin[name]:.3f} s" for name in end}, path.stat().st_size, "bytes")
