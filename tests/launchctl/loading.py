"""bootstrap and bootout: what launchd accepts, refuses and takes its time for."""

from __future__ import annotations

import os
import stat
import time

from tests.launchctl.spawn import request_start, stop
from tests.launchctl.state import Store

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from typing import Any


class RefusedError(Exception):
    """A call that fails with an Apple code."""

    def __init__(self, code: int, text: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def read_plist(store: Store, path: str) -> dict[str, Any]:
    """The plist of a file that launchd would take. Raises RefusedError."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise RefusedError(2, path) from None
    if found.st_mode & 0o022 or found.st_uid not in {0, os.getuid()}:
        store.log(f"Caller specified a plist with bad ownership/permissions: {path}")
        raise RefusedError(122, path)
    if not stat.S_ISREG(found.st_mode) or not path.endswith(".plist"):
        raise RefusedError(109, path)
    if store.option("quarantine_refused") and _quarantined(path):
        raise RefusedError(155, path)
    import plistlib

    try:
        with open(path, "rb") as stream:
            plist = plistlib.load(stream)
    except PermissionError:
        raise RefusedError(13, path) from None
    except Exception:
        raise RefusedError(109, path) from None
    label = plist.get("Label") if isinstance(plist, dict) else None
    if not isinstance(label, str) or not label:
        raise RefusedError(110, path)
    if label.lower().startswith(("com.apple.launchd", "com.apple.launchctl")):
        raise RefusedError(140, path)
    arguments = plist.get("ProgramArguments", [])
    if not (arguments or plist.get("Program")) or not all(isinstance(word, str) for word in arguments):
        raise RefusedError(111, path)
    return dict(plist)


def _quarantined(path: str) -> bool:
    for name in ("com.apple.quarantine", "user.com.apple.quarantine"):
        try:
            os.getxattr(path, name)
        except (OSError, AttributeError):
            continue
        return True
    return False


def bootstrap(store: Store, domain: str, path: str) -> None:
    """Load one file. Raises RefusedError with the true code."""
    plist = read_plist(store, path)
    label = plist["Label"]
    wanted = plist.get("LimitLoadToSessionType", "Aqua")
    sessions = {wanted} if isinstance(wanted, str) else set(wanted)
    here = {"gui": "Aqua", "user": "Background", "login": "Aqua"}.get(domain.partition("/")[0])
    if here is not None and here not in sessions:
        raise RefusedError(134, path)
    off = store.overrides(domain).get(label, bool(plist.get("Disabled", False)))
    if off and not store.option("disabled_loads"):
        raise RefusedError(119, path)
    for other in store.services():
        if other["label"] == label:
            raise RefusedError(
                37 if other["draining"] or other["gone_at"] or other["domain"] == domain else 17, path
            )
    service = {
        "label": label, "domain": domain, "path": path, "plist": plist, "pid": 0, "supervisor": 0,
        "state": "not running", "runs": 0, "last": None, "started": 0.0, "draining": False, "gone_at": 0.0,
        "reason": "", "pending": False, "incarnation": f"{os.getpid()}.{time.time_ns()}",
        "home": store.options().get("home") or os.environ.get("HOME") or "/", "since": store.now() or int(time.time()),
    }  # fmt: skip
    store.save(service)
    if plist.get("RunAtLoad") or plist.get("KeepAlive"):
        request_start(store, service, "speculative")


def bootout(store: Store, domain: str, label: str) -> int:
    """The status of a bootout, which returns before the job is gone. Raises RefusedError for 3."""
    service = store.service(domain, label)
    if service is None or service["gone_at"]:
        raise RefusedError(3, label)
    if store.option("bootout_disables"):
        store.set_override(domain, label, True)
    if service["pid"]:
        if not service["draining"]:
            service["draining"] = True
            store.save(service)
            stop(store, service)
        return int(store.option("bootout_draining"))
    linger = store.seconds(store.option("linger_s"))
    if linger > 0:
        service["gone_at"] = time.time() + linger
        store.save(service)
    else:
        store.drop(service)
    return 0
