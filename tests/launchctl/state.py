"""What the double remembers: one folder, one file a service, one lock around every call."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time

from tests.launchctl.behaviours import BEHAVIOURS

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Service: TypeAlias = dict[str, Any]


class Store:
    """The double's memory. Use as a context manager: inside, nobody else changes it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        os.makedirs(os.path.join(folder, "services"), exist_ok=True)
        self._lock = -1

    def __enter__(self) -> Store:  # noqa: PYI034 - Self would load typing
        self._lock = os.open(os.path.join(self.folder, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._lock, fcntl.LOCK_UN)
        os.close(self._lock)
        self._lock = -1

    def forget_lock(self) -> None:
        """Close the inherited lock in a forked child, without giving up the parent's hold."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _read(self, name: str, default: Any) -> Any:
        try:
            with open(os.path.join(self.folder, name), encoding="utf-8") as stream:
                return json.load(stream)
        except FileNotFoundError:
            return default

    def _write(self, name: str, value: Any) -> None:
        path = os.path.join(self.folder, name)
        with open(path + ".new", "w", encoding="utf-8") as stream:
            json.dump(value, stream)
        os.replace(path + ".new", path)

    def option(self, key: str) -> Any:
        """The value of a switch."""
        return self.options().get(key, BEHAVIOURS[key][0])

    def options(self) -> dict[str, Any]:
        """The switches that were set."""
        found: dict[str, Any] = self._read("options.json", {})
        return found

    def set_options(self, options: dict[str, Any]) -> None:
        """Set all switches."""
        self._write("options.json", options)

    def seconds(self, value: float) -> float:
        """Real seconds of a time in launchd's seconds."""
        return value * float(self.option("scale"))

    def now(self) -> int | None:
        """The virtual time as epoch, or None while the clock is the machine's."""
        found = self._read("clock.json", None)
        return None if found is None else int(found)

    def set_now(self, epoch: int) -> None:
        """Set the virtual clock."""
        self._write("clock.json", epoch)

    def overrides(self, domain: str) -> dict[str, bool]:
        """Label → whether it is disabled."""
        found: dict[str, bool] = self._read(self._override_file(domain), {})
        return found

    def set_override(self, domain: str, label: str, disabled: bool) -> None:
        """Write one override."""
        found = self.overrides(domain)
        found[label] = disabled
        self._write(self._override_file(domain), found)

    def _override_file(self, domain: str) -> str:
        kind, _, uid = domain.partition("/")
        if kind == "system":
            return "disabled.json"
        return f"disabled.{uid}.json" if self.option("shared_overrides") else f"disabled.{kind}.{uid}.json"

    def _service_file(self, domain: str, label: str) -> str:
        return os.path.join("services", f"{domain.replace('/', '.')}@{label}.json")

    def service(self, domain: str, label: str) -> Service | None:
        """A loaded service, or None. One whose time to linger is over is dropped here."""
        found: Service | None = self._read(self._service_file(domain, label), None)
        if found is not None and found["gone_at"] and found["gone_at"] <= time.time():
            self.drop(found)
            return None
        return found

    def services(self, domain: str | None = None) -> list[Service]:
        """All loaded services, by label."""
        found = []
        for name in sorted(os.listdir(os.path.join(self.folder, "services"))):
            if not name.endswith(".json"):
                continue
            owner, _, label = name[: -len(".json")].partition("@")
            kind, dot, uid = owner.partition(".")
            where = f"{kind}/{uid}" if dot else kind
            if domain is None or where == domain:
                service = self.service(where, label)
                if service is not None:
                    found.append(service)
        return found

    def save(self, service: Service) -> None:
        """Write a service back."""
        self._write(self._service_file(service["domain"], service["label"]), service)

    def drop(self, service: Service) -> None:
        """Forget a service."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.folder, self._service_file(service["domain"], service["label"])))

    def log(self, text: str) -> None:
        """Append a line to launchd's own log."""
        self._append("launchd.log", text)

    def note_call(self, words: list[str], status: int) -> None:
        """Append a finished call to the list of calls."""
        self._append("calls.log", json.dumps([status, *words]))

    def _append(self, name: str, text: str) -> None:
        handle = os.open(os.path.join(self.folder, name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, (text + "\n").encode())
        finally:
            os.close(handle)
