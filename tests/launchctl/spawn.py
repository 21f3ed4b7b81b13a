"""The runs of a service: a supervisor process for each chain of runs, a child with launchd's environment in it.

The supervisor stands for launchd: it is the parent of the job's main process, learns how it ended, sends TERM to
the process group that is left, and starts the next run where KeepAlive or a fire during the run asks for one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

from tests.launchctl.shapes import STANDARD_PATH
from tests.launchctl.state import Store

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from typing import Any

    from tests.launchctl.state import Service


POLL_S = 0.01


def request_start(store: Store, service: Service, reason: str) -> None:
    """Start a service now, or after its throttle, or mark it pending when it runs. The store is locked."""
    if store.option("disabled_loads") and store.overrides(service["domain"]).get(service["label"]):
        return
    if service["supervisor"] and alive(service["supervisor"]):
        if service["pid"] and store.option("pending_while_running"):
            service["pending"] = True
            store.save(service)
        return
    delay = _throttle(store, service)
    service["state"] = "spawn scheduled" if delay > 0 else "xpcproxy"
    service["reason"] = reason
    store.save(service)
    supervisor = os.fork()
    if supervisor == 0:
        try:
            store.forget_lock()
            _detach()
            _supervise(store, service["domain"], service["label"], service["incarnation"], delay)
        finally:
            os._exit(0)
    service["supervisor"] = supervisor
    store.save(service)


def _detach() -> None:
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def alive(pid: int) -> bool:
    """Whether a process is there and is not a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return True


def _throttle(store: Store, service: Service) -> float:
    """Real seconds until the next start is allowed: ThrottleInterval counts from start to start."""
    started = service["started"]
    if not started:
        return 0.0
    wait = store.seconds(service["plist"].get("ThrottleInterval", store.option("throttle_s")))
    return max(0.0, float(started) + wait - time.time())


def _mine(store: Store, domain: str, label: str, incarnation: str) -> Service | None:
    service = store.service(domain, label)
    return service if service is not None and service["incarnation"] == incarnation else None


def _supervise(store: Store, domain: str, label: str, incarnation: str, delay: float) -> None:
    while True:
        end = time.time() + delay
        while time.time() < end:
            time.sleep(min(POLL_S, max(0.0, end - time.time())))
            with store:
                service = _mine(store, domain, label, incarnation)
                if service is None or service["draining"]:
                    return
        with store:
            service = _mine(store, domain, label, incarnation)
            if service is None or service["draining"]:
                return
            child = _spawn(store, service)
            service.update(state="running", pid=child, supervisor=os.getpid(), runs=service["runs"] + 1)
            service.update(started=time.time(), pending=False)
            store.save(service)
        status = os.waitpid(child, 0)[1]
        if not service["plist"].get("AbandonProcessGroup"):
            _signal_group(child, signal.SIGTERM)
        with store:
            service = _mine(store, domain, label, incarnation)
            if service is None:
                return
            killed = os.WIFSIGNALED(status)
            service["last"] = {"signal": os.WTERMSIG(status)} if killed else {"exit": os.WEXITSTATUS(status)}
            service.update(pid=0, state="not running")
            if service["draining"] or service["plist"].get("LaunchOnlyOnce"):
                store.drop(service)
                return
            if not (_kept_alive(service) or service["pending"]):
                service["supervisor"] = 0
                store.save(service)
                return
            delay = _throttle(store, service)
            service["state"] = "spawn scheduled" if delay > 0 else "xpcproxy"
            store.save(service)


def _kept_alive(service: Service) -> bool:
    wish = service["plist"].get("KeepAlive", False)
    if isinstance(wish, bool):
        return wish
    last = service["last"] or {"exit": 0}
    answers = []
    if "SuccessfulExit" in wish:
        answers.append((last.get("exit") == 0) == wish["SuccessfulExit"])
    if "Crashed" in wish:
        answers.append(("signal" in last) == wish["Crashed"])
    return any(answers)


def _signal_group(leader: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _spawn(store: Store, service: Service) -> int:
    child = os.fork()
    if child:
        return child
    store.forget_lock()
    try:
        _become(store, service)
    except OSError as error:
        store.log(f"{service['label']}: could not be set up: {error}")
    os._exit(78)


def _become(store: Store, service: Service) -> None:
    """Turn into the job: the order is the one of 842's job_start_child. Raises OSError for what gives 78."""
    plist = service["plist"]
    if "Nice" in plist:
        os.nice(plist["Nice"])
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.chdir(plist.get("WorkingDirectory", "/"))
    except OSError:
        if store.option("missing_cwd") == "78":
            raise
        os.chdir("/")
    mask = plist.get("Umask", 0o022)
    os.umask(int(mask, 0) if isinstance(mask, str) else mask)
    for handle, key in ((1, "StandardOutPath"), (2, "StandardErrorPath")):
        path = plist.get(key, os.devnull)
        if store.option("missing_log_folder") == "create" and not os.path.isdir(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path))
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666), handle)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    arguments = plist.get("ProgramArguments") or [plist["Program"]]
    environment = _environment(store, service)
    program = plist.get("Program") or arguments[0]
    if "/" not in program:
        path = STANDARD_PATH if store.option("standard_path_only") else environment["PATH"]
        program = next(
            (
                f"{folder}/{program}"
                for folder in path.split(":")
                if os.access(f"{folder}/{program}", os.X_OK)
            ),
            program,
        )
    os.closerange(3, 256)
    os.execve(program, arguments, environment)


def _environment(store: Store, service: Service) -> dict[str, str]:
    plist: dict[str, Any] = service["plist"]
    home = service["home"]
    base = {
        "PATH": STANDARD_PATH,
        "XPC_SERVICE_NAME": service["label"],
        "XPC_FLAGS": "0x0",
        "OSLogRateLimit": "64",
    }
    if service["domain"] != "system":
        user = os.path.basename(home) or "root"
        base |= {"HOME": home, "USER": user, "LOGNAME": user, "SHELL": "/bin/zsh", "TMPDIR": "/tmp/"}
        base["SSH_AUTH_SOCK"] = "/var/run/com.apple.launchd.Qx/Listeners"
    base |= {
        key: value for key, value in plist.get("EnvironmentVariables", {}).items() if isinstance(value, str)
    }
    now = store.now()
    return base if now is None else base | {"JOBS_NOW": str(now)}


def stop(store: Store, service: Service) -> None:
    """Send TERM to a running job; a process of its own sends KILL after ExitTimeOut. The store is locked."""
    pid = service["pid"]
    if not pid:
        return
    limit = service["plist"].get("ExitTimeOut", store.option("default_exit_timeout_s"))
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    if limit == 0 or store.option("deaf"):
        return
    wait = store.seconds(limit)
    if os.fork():
        return
    store.forget_lock()
    _detach()
    end = time.time() + wait
    while time.time() < end and alive(pid):
        time.sleep(POLL_S)
    if alive(pid):
        os.kill(pid, signal.SIGKILL)
    os._exit(0)
