"""A second launchctl, written from the reference and sharing no line with the first one.

It exists because a reader of answers can be fitted to one double without anybody noticing. One JSON file holds
everything, services are plain lists of lines until they are asked for, and `SECOND_ERA` picks the spellings:

    old   true/false overrides without a tab, system style heads, bootout answers 36 while a job drains, `-` for the
          status of a running job, `waiting`, "service already loaded", codes in the open
    new   disabled/enabled with a block of login items behind it, bootout answers 0 and drains, everything that goes
          wrong in bootstrap is 5, coalitions with states of their own, `xpcproxy`

SECOND_STATE names the folder of the memory, SECOND_SESSION a code with which the gui domain refuses.
"""

import contextlib
import fcntl
import json
import os
import plistlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

Memory = dict[str, Any]
HOME = os.environ["SECOND_STATE"]
OLD = os.environ.get("SECOND_ERA", "new") == "old"
ME = os.getuid()
SAID = {
    3: "No such process",
    5: "Input/output error",
    17: "File exists",
    36: "Operation now in progress",
    37: "Operation already in progress",
    112: "Could not find specified domain",
    113: "Could not find specified service",
    119: "Service is disabled",
    122: "Path had bad ownership/permissions",
    125: "Domain does not support specified action",
    134: "Service cannot load in requested session",
}

SHEPHERD = """
import json, os, signal, sys, time
folder, label, limit, words, settings = sys.argv[1], sys.argv[2], float(sys.argv[3]), *map(json.loads, sys.argv[4:6])
note = os.path.join(folder, label + '.end')
child = os.fork()
if child == 0:
    os.setsid()
    os.chdir(settings.get('WorkingDirectory', '/'))
    for number, key in ((1, 'StandardOutPath'), (2, 'StandardErrorPath')):
        if key in settings:
            os.dup2(os.open(settings[key], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), number)
    base = {'PATH': '/usr/bin:/bin:/usr/sbin:/sbin', 'HOME': os.environ['HOME'], 'XPC_SERVICE_NAME': label}
    try:
        os.execve(words[0], words, {**base, **settings.get('EnvironmentVariables', {})})
    except OSError:
        os._exit(78)
open(os.path.join(folder, label + '.pid'), 'w').write(str(child))
_, status = os.waitpid(child, 0)
try:
    os.killpg(child, signal.SIGTERM)
except ProcessLookupError:
    pass
open(note + '~', 'w').write(str(status))
os.rename(note + '~', note)
"""


class Refused(SystemExit):
    """The end of a call with one of launchd's codes."""


def refuse(code: int, text: str | None = None) -> NoReturn:
    print(text or SAID.get(code, "?"), file=sys.stderr)
    raise Refused(code)


def recall() -> Memory:
    try:
        with open(f"{HOME}/memory") as stream:
            found: Memory = json.load(stream)
            return found
    except FileNotFoundError:
        return {"loaded": {}, "off": {}}


def remember(memory: Memory) -> None:
    with open(f"{HOME}/memory~", "w") as stream:
        json.dump(memory, stream)
    os.rename(f"{HOME}/memory~", f"{HOME}/memory")


def pid_of(label: str) -> int:
    """The pid of a job's process, or 0."""
    try:
        with open(f"{HOME}/{label}.pid") as stream:
            pid = int(stream.read())
    except (FileNotFoundError, ValueError):
        return 0
    return 0 if os.path.exists(f"{HOME}/{label}.end") else pid


def end_of(label: str) -> int | None:
    """The raw wait status of the last run, or None."""
    try:
        with open(f"{HOME}/{label}.end") as stream:
            return int(stream.read())
    except (FileNotFoundError, ValueError):
        return None


def start(label: str, known: dict[str, Any]) -> None:
    for suffix in ("end", "pid"):
        if os.path.exists(f"{HOME}/{label}.{suffix}"):
            os.unlink(f"{HOME}/{label}.{suffix}")
    keys = known["keys"]
    words = keys.get("ProgramArguments") or [keys["Program"]]
    settings = {
        key: keys[key]
        for key in keys
        if key in {"WorkingDirectory", "StandardOutPath", "StandardErrorPath", "EnvironmentVariables"}
    }
    subprocess.Popen(
        [sys.executable, "-SE", "-c", SHEPHERD, HOME, label, "0", json.dumps(words), json.dumps(settings)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    known["runs"] += 1
    end = time.time() + 5
    while not pid_of(label) and end_of(label) is None and time.time() < end:
        time.sleep(0.005)


def sweep(memory: Memory) -> None:
    """Drop what was booted out and has ended; kill what had its time."""
    for target in list(memory["loaded"]):
        known = memory["loaded"][target]
        if not known["leaving"]:
            continue
        label = target.rpartition("/")[2]
        pid = pid_of(label)
        if pid and time.time() >= known["leaving"] + known["patience"]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
        if not pid and time.time() >= known["leaving"] + known["linger"]:
            del memory["loaded"][target]


def domain_of(target: str) -> tuple[str, str]:
    """Domain and label. A gui domain needs somebody at the screen."""
    parts = target.split("/")
    size = 1 if parts[0] == "system" else 2
    if parts[0] not in {"system", "gui", "user"} or (size == 2 and len(parts) < 2):
        refuse(64, "Unrecognized target specifier.\nUsage: launchctl ...")
    session = int(os.environ.get("SECOND_SESSION", "0"))
    if parts[0] == "gui" and session:
        refuse(session, f"Could not find domain for user gui: {parts[1]}" if session == 112 else None)
    return "/".join(parts[:size]), "/".join(parts[size:])


def missing(domain: str, label: str) -> NoReturn:
    kind, _, uid = domain.partition("/")
    where = "port" if OLD else f"user {kind}: {uid}" if uid else kind
    refuse(113, f'Could not find service "{label}" in domain for {where}')


def bootstrap(memory: Memory, domain: str, *paths: str) -> None:
    domain, rest = domain_of(domain)
    if rest or not paths:
        refuse(64, "Usage: launchctl bootstrap <domain-target> [service-path, service-path2, ...]")
    for path in paths:
        code, note = 0, ""
        try:
            with open(path, "rb") as stream:
                keys = plistlib.load(stream)
        except FileNotFoundError:
            code = 2
        else:
            target = f"{domain}/{keys['Label']}"
            sessions = keys.get("LimitLoadToSessionType", "Aqua")
            wanted = {"gui": "Aqua", "user": "Background", "system": "System"}[domain.split("/")[0]]
            if os.stat(path).st_mode & 0o022:
                code = 122
            elif target in memory["loaded"]:
                leaving = memory["loaded"][target]["leaving"]
                code = 37 if leaving or not OLD else 17
                note = "" if leaving else f"{path}: service already {'loaded' if OLD else 'bootstrapped'}"
            elif memory["off"].get(target, keys.get("Disabled", False)):
                code = 119
            elif domain != "system" and wanted not in ([sessions] if isinstance(sessions, str) else sessions):
                code = 134
        if code:
            if note:
                print(note, file=sys.stderr)
            shown = code if OLD else 5
            print(f"Bootstrap failed: {shown}: {SAID.get(shown, os.strerror(shown))}", file=sys.stderr)
            if shown == 5:
                print("Try re-running the command as root for richer errors.", file=sys.stderr)
            raise Refused(shown)
        known = {
            "path": path,
            "keys": keys,
            "runs": 0,
            "leaving": 0,
            "linger": 0.15,
            "patience": float(keys.get("ExitTimeOut", 5)),
        }
        memory["loaded"][target] = known
        for suffix in ("end", "pid"):
            if os.path.exists(f"{HOME}/{keys['Label']}.{suffix}"):
                os.unlink(f"{HOME}/{keys['Label']}.{suffix}")
        if keys.get("RunAtLoad") or keys.get("KeepAlive"):
            start(keys["Label"], known)


def bootout(memory: Memory, target: str, path: str | None = None) -> None:
    if path:
        with open(path, "rb") as stream:
            target += "/" + plistlib.load(stream)["Label"]
    domain, label = domain_of(target)
    if not label:
        open(f"{HOME}/LOGGED-OUT", "w").close()
        return
    known = memory["loaded"].get(f"{domain}/{label}")
    if known is None:
        refuse(3, "Boot-out failed: 3: No such process")
    if not known["leaving"]:
        known["leaving"] = time.time()
        if pid_of(label):
            os.killpg(pid_of(label), signal.SIGTERM)
    if OLD and pid_of(label):
        refuse(36, "Boot-out failed: 36: Operation now in progress")


def kickstart(memory: Memory, *words: str) -> None:
    flags = {letter for word in words if word.startswith("-") for letter in word[1:]}
    domain, label = domain_of(next(word for word in words if not word.startswith("-")))
    known = memory["loaded"].get(f"{domain}/{label}") or missing(domain, label)
    if known["leaving"]:
        refuse(37)
    if pid_of(label):
        if "k" not in flags:
            return
        os.killpg(pid_of(label), signal.SIGKILL)
        while pid_of(label):
            time.sleep(0.005)
    start(label, known)


def override(memory: Memory, target: str, off: bool) -> None:
    domain, label = domain_of(target)
    if not label:
        refuse(64)
    memory["off"][f"{domain}/{label}"] = off


def show(memory: Memory, target: str) -> None:
    domain, label = domain_of(target)
    if not label:
        print(f"{domain} = {{\n\ttype = user\n\thandle = 100009\n}}")
        return
    known = memory["loaded"].get(f"{domain}/{label}") or missing(domain, label)
    keys, pid, status = known["keys"], pid_of(label), end_of(label)
    lines = [f"{label if OLD else target} = {{", f"\tactive count = {1 if pid else 0}"]
    if not OLD:
        lines += ["\tcopy count = 0", "\tone shot = 0"]
    lines += [
        f"\tpath = {known['path']}",
        f"\tstate = {'running' if pid else 'waiting' if OLD else 'not running'}",
        "",
    ]
    words = keys.get("ProgramArguments", [])
    lines += [
        f"\tprogram = {keys.get('Program', words[0] if words else '')}",
        "\targuments = {",
        *(f"\t\t{word}" for word in words),
        "\t}",
        "",
    ]
    for name, key in (
        ("stdout path", "StandardOutPath"),
        ("stderr path", "StandardErrorPath"),
        ("working directory", "WorkingDirectory"),
    ):
        lines += [f"\t{name} = {keys[key]}"] if key in keys else []
    lines += ["\tdefault environment = {", "\t\tPATH => /usr/bin:/bin:/usr/sbin:/sbin", "\t}", ""]
    lines += [
        "\tenvironment = {",
        *(f"\t\t{key} => {value}" for key, value in keys.get("EnvironmentVariables", {}).items()),
        f"\t\tXPC_SERVICE_NAME => {label}",
        "\t}",
        "",
    ]
    lines += [
        f"\tdomain = com.apple.xpc.launchd.user.domain.{ME}.100009.Aqua"
        if OLD
        else f"\tdomain = {domain} [100009]"
    ]
    lines += ["\tminimum runtime = 10", f"\texit timeout = {keys.get('ExitTimeOut', 5)}"]
    lines += [f"\tnice = {keys['Nice']}"] if "Nice" in keys else []
    lines += [f"\truns = {known['runs']}"]
    lines += [f"\tpid = {pid}", "\timmediate reason = non-ipc demand"] if pid else []
    if status is None:
        lines += ["\tlast exit code = (never exited)"]
    elif status & 127:
        lines += [f"\tlast terminating signal = {signal.strsignal(status & 127)}: {status & 127}"]
    else:
        code = status >> 8
        lines += [f"\tlast exit code = {code}{': EX_CONFIG' if code == 78 else ''}"]
    lines += [
        "",
        "\tresource coalition = {",
        "\t\tID = 1234",
        "\t\ttype = resource",
        "\t\tstate = active",
        "\t\tactive count = 1",
        "\t}",
    ]
    times = keys.get("StartCalendarInterval", [])
    if times:
        lines += ["", "\tevent triggers = {"]
        for number, entry in enumerate([times] if isinstance(times, dict) else times):
            # The order of dictionary keys is nobody's promise: it changes from call to call here.
            names = sorted(entry, reverse=bool(time.time_ns() % 2))
            lines += [
                f"\t\t{label}.{268435461 + number} => {{",
                "\t\t\tkeepalive = 0",
                f"\t\t\tservice = {label}",
                "\t\t\tstream = com.apple.launchd.calendarinterval",
                "\t\t\tdescriptor = {",
                *(f'\t\t\t\t"{name}" => {entry[name]}' for name in names),
                "\t\t\t}",
                "\t\t}",
            ]
        lines += ["\t}"]
    lines += [f"\trun interval = {keys['StartInterval']} seconds"] if "StartInterval" in keys else []
    lines += [
        "",
        "\tspawn type = daemon (3)",
        "\tjetsam priority = 40",
        "\tproperties = inferred program",
        "}",
    ]
    print("\n".join(lines))


def print_disabled(memory: Memory, domain: str) -> None:
    domain, _ = domain_of(domain)
    tab = "" if OLD else "\t"
    words = {True: "true", False: "false"} if OLD else {True: "disabled", False: "enabled"}
    print(f"\n{tab}disabled services = {{" if not OLD else f"{tab}disabled services = {{")
    for target, off in memory["off"].items():
        if target.startswith(domain + "/"):
            print(f'{tab}\t"{target.rpartition("/")[2]}" => {words[off]}')
    print(f"{tab}}}")
    if not OLD:
        # Names of jobs stand here, too, and say nothing about overrides.
        print("\tlogin item associations = {")
        for target in memory["loaded"]:
            print(f'\t\t"{target.rpartition("/")[2]}" => disabled')
        print("\t}")


def listing(memory: Memory, label: str | None = None) -> None:
    own = {target.rpartition("/")[2]: known for target, known in memory["loaded"].items()}
    if label:
        if label not in own:
            refuse(113, f'Could not find service "{label}" in domain for port')
        print(
            f'{{\n\t"Label" = "{label}";\n\t"OnDemand" = true;\n\t"LastExitStatus" = {end_of(label) or 0};\n}};'
        )
        return
    print("PID\tStatus\tLabel")
    print(f"{os.getppid()}\t0\tcom.apple.Finder")
    for name in own:
        pid, status = pid_of(name), end_of(name) or 0
        shown = -(status & 127) if status & 127 else status >> 8
        print(f"{pid or '-'}\t{'-' if OLD and pid else shown}\t{name}")


VERBS: dict[str, Callable[..., None]] = {
    "bootstrap": bootstrap,
    "bootout": bootout,
    "kickstart": kickstart,
    "print": show,
    "print-disabled": print_disabled,
    "list": listing,
}


def main(verb: str = "", *words: str) -> None:
    with open(f"{HOME}/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        memory = recall()
        with open(f"{HOME}/calls", "a") as calls:
            print(verb, *words, file=calls)
        sweep(memory)
        try:
            if verb in VERBS:
                VERBS[verb](memory, *words)
            elif verb in {"enable", "disable"}:
                override(memory, words[0], verb == "disable")
            elif verb == "version":
                print(
                    "Darwin Bootstrapper Version 6.0.0: Mon Jan  1 00:00:00 PST 2018; root:libxpc_executables-1/launchd"
                )
            else:
                refuse(64, f"Unrecognized subcommand: {verb}")
        finally:
            remember(memory)


if __name__ == "__main__":
    main(*sys.argv[1:])
