"""A real browser without a window, told what to do over the DevTools protocol; the standard library is enough.

`--remote-debugging-pipe` lets Chromium read commands from descriptor 3 and answer on 4, as JSON that ends with NUL.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.tools import require_tool

PATIENCE_S = 120  # until a browser that says nothing is given up

OPTIONS = (
    "--headless",
    "--no-sandbox",  # a test run may be root's
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)


class Page:
    """One page, with all that it said and asked for since it was opened."""

    def __init__(self, read: int, write: int) -> None:
        self._answers = os.fdopen(read, "rb")
        self._commands = os.fdopen(write, "wb")
        self._rest = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        target = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command to the page. Events that come before it are kept."""
        return self._ask(method, parameters, self._session)

    def _ask(self, method: str, parameters: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = self._next()
            if answer.get("id") != self._number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = self._answers.read1(1 << 20)
            if not read:
                raise RuntimeError("the browser is gone")
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def open(self, path: Path) -> None:
        """Load a file, and wait until it is loaded and drawn once."""
        self.events.clear()
        answer = self.ask("Page.navigate", url=path.as_uri())
        if "errorText" in answer:
            raise RuntimeError(f"{path}: {answer['errorText']}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())
        self.drawn()

    def drawn(self) -> None:
        """Wait until what has changed is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript; of a promise, what it comes to."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def window(self, width: int, height: int, *, scheme: str = "light", phone: bool = False) -> None:
        """The size in CSS pixels, and what the person prefers: light or dark."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        self.ask("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.ask(
            "Emulation.setEmulatedMedia",
            media="",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def press(self, key: str, *, shift: bool = False) -> None:
        """A key of the keyboard, down and up, by its DOM name."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36}
        codes |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        for kind in ("rawKeyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=codes[key],
                modifiers=8 if shift else 0,
            )

    def hover(self, x: float, y: float) -> None:
        """Move the mouse there."""
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float) -> None:
        """Press and release the mouse there."""
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def shoot(self, path: Path) -> None:
        """Write what the window shows as a PNG."""
        self.drawn()
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def print_to(self, path: Path) -> None:
        """Write the page as it is printed, as a PDF."""
        data = self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def main_thread_s(self) -> dict[str, float]:
        """Seconds that the page's own thread has worked since the browser began, by kind of work."""
        metrics = {one["name"]: one["value"] for one in self.ask("Performance.getMetrics")["metrics"]}
        return {name: metrics[f"{name}Duration"] for name in ("Task", "Script", "Layout", "RecalcStyle")}

    def complaints(self) -> list[str]:
        """What stands in the console, and every exception."""
        told = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in told]

    def requests(self) -> list[str]:
        """The addresses that were asked for, in order."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]

    def close(self) -> None:
        """Let the browser end: it does when nobody can command it any more."""
        self._commands.close()
        self._answers.close()


def _pipe() -> tuple[int, int]:
    """The two ends of a pipe, with numbers that are not those that Chromium takes."""
    ends = os.pipe()
    high = (fcntl.fcntl(ends[0], fcntl.F_DUPFD_CLOEXEC, 10), fcntl.fcntl(ends[1], fcntl.F_DUPFD_CLOEXEC, 10))
    for end in ends:
        os.close(end)
    return high


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A page of a new browser whose profile is in a folder. Skips where there is no Chromium."""
    program = require_tool("chromium")
    commands, ours = _pipe()
    answers, theirs = _pipe()
    # A shell puts the ends where Chromium looks for them; bash, for dash knows no descriptor above 9.
    process = subprocess.Popen(
        [
            "timeout",
            "--signal=KILL",
            str(PATIENCE_S),
            require_tool("bash"),
            "-c",
            f'exec 3<&{commands} 4>&{theirs}; exec "$@"',
            "bash",
            program,
            *OPTIONS,
            f"--user-data-dir={folder}",
            "about:blank",
        ],
        pass_fds=(commands, theirs),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "TZ": "Asia/Tokyo", "LANG": "C.UTF-8"},
        start_new_session=True,
    )
    os.close(commands)
    os.close(theirs)
    page = None
    try:
        page = Page(answers, ours)
        yield page
    finally:
        if page is not None:
            page.close()
        process.wait()
