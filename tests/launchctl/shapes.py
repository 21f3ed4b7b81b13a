"""What print, list and print-disabled write, in launchd's own shapes (reference 4.2)."""

from __future__ import annotations

import signal

from tests.launchctl.behaviours import SYSEXITS
from tests.launchctl.state import Store

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from typing import Any

    from tests.launchctl.state import Service


STANDARD_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
SIGNALS = {
    15: "Terminated",
    9: "Killed",
    11: "Segmentation fault",
    6: "Abort trap",
    2: "Interrupt",
    1: "Hangup",
}


def printed(store: Store, service: Service) -> str:
    """The answer to `print DOMAIN/LABEL`."""
    plist = service["plist"]
    label, domain = service["label"], service["domain"]
    bare = domain == "system" and store.option("target_line") == "label"
    lines = [f"{label if bare else domain + '/' + label} = {{"]
    running = bool(service["pid"])
    add = lines.append
    add(f"\tactive count = {1 if running else 0}")
    add(f"\tpath = {service['path']}")
    add(f"\ttype = {'LaunchDaemon' if domain == 'system' else 'LaunchAgent'}")
    add(f"\tstate = {service['state']}")
    add("")
    arguments = plist.get("ProgramArguments", [])
    add(f"\tprogram = {plist.get('Program') or arguments[0]}")
    if arguments:
        lines += ["\targuments = {", *(f"\t\t{word}" for word in arguments), "\t}"]
    add("")
    for key, name in (
        ("WorkingDirectory", "working directory"),
        ("StandardOutPath", "stdout path"),
        ("StandardErrorPath", "stderr path"),
    ):
        if key in plist:
            add(f"\t{name} = {plist[key]}")
    lines += [
        "\tinherited environment = {",
        "\t\tSSH_AUTH_SOCK => /var/run/com.apple.launchd.Qx/Listeners",
        "\t}",
        "",
    ]
    lines += ["\tdefault environment = {", f"\t\tPATH => {STANDARD_PATH}", "\t}", ""]
    own = {**plist.get("EnvironmentVariables", {}), "OSLogRateLimit": "64", "XPC_SERVICE_NAME": label}
    lines += ["\tenvironment = {", *(f"\t\t{key} => {value}" for key, value in own.items()), "\t}", ""]
    add(f"\tdomain = {domain} [100009]")
    add("\tasid = 100009")
    add(f"\tminimum runtime = {plist.get('ThrottleInterval', store.option('throttle_s'))}")
    add(f"\texit timeout = {plist.get('ExitTimeOut', store.option('default_exit_timeout_s'))}")
    if "Nice" in plist:
        add(f"\tnice = {plist['Nice']}")
    add(f"\truns = {service['runs']}")
    if running:
        add(f"\tpid = {service['pid']}")
        add(f"\timmediate reason = {service['reason']}")
        lines += ["\tforks = 1", "\texecs = 1"]
    add(f"\t{_last(service['last'])}")
    add("")
    triggers = calendar(plist)
    if triggers:
        add("\tevent triggers = {")
        for number, entry in enumerate(triggers):
            lines += [
                f"\t\t{label}.{268435461 + number} => {{",
                "\t\t\tkeepalive = 0",
                f"\t\t\tservice = {label}",
                "\t\t\tstream = com.apple.launchd.calendarinterval",
                "\t\t\tmonitor = com.apple.UserEventAgent-Aqua",
                "\t\t\tdescriptor = {",
                *(f'\t\t\t\t"{key}" => {value}' for key, value in reversed(list(entry.items()))),
                "\t\t\t}",
                "\t\t}",
            ]
        lines += ["\t}", ""]
    if running:
        # A block with a `state` of its own: only the line with one tab tells the job's (aragora#6014).
        lines += [
            "\tresource coalition = {",
            "\t\tID = 5113",
            "\t\tstate = active",
            f"\t\tname = {label}",
            "\t}",
            "",
        ]
    add("\tspawn type = daemon (3)")
    add("\tjetsam priority = 40")
    if "StartInterval" in plist:
        add(f"\trun interval = {plist['StartInterval']} seconds")
    properties = ["runatload"] if plist.get("RunAtLoad") else []
    add(f"\tproperties = {' | '.join([*properties, 'inferred program'])}")
    add("}")
    return "\n".join(lines) + "\n"


def _last(last: dict[str, int] | None) -> str:
    if last is None:
        return "last exit code = (never exited)"
    if "signal" in last:
        number = last["signal"]
        return f"last terminating signal = {SIGNALS.get(number, signal.strsignal(number) or 'Unknown')}: {number}"
    code = last["exit"]
    return f"last exit code = {code}: {SYSEXITS[code]}" if code in SYSEXITS else f"last exit code = {code}"


def calendar(plist: dict[str, Any]) -> list[dict[str, int]]:
    """The calendar dictionaries of a plist."""
    found = plist.get("StartCalendarInterval", [])
    return [found] if isinstance(found, dict) else list(found)


def _raw_status(last: dict[str, int] | None) -> int:
    """The wait status that `list LABEL` shows: exit 1 is 256, SIGTERM is 15."""
    if last is None:
        return 0
    return last["signal"] if "signal" in last else last["exit"] << 8


def listed(service: Service) -> str:
    """The answer to `list LABEL`."""
    plist = service["plist"]
    lines = ["{"]
    lines += [
        *(f'\t"{key}" = "{plist[key]}";' for key in ("StandardOutPath", "StandardErrorPath") if key in plist),
        f'\t"LimitLoadToSessionType" = "{"System" if service["domain"] == "system" else "Aqua"}";',
        f'\t"Label" = "{service["label"]}";',
        '\t"OnDemand" = true;',
        f'\t"LastExitStatus" = {_raw_status(service["last"])};',
    ]
    if service["pid"]:
        lines.append(f'\t"PID" = {service["pid"]};')
    arguments = plist.get("ProgramArguments", [])
    lines.append(f'\t"Program" = "{plist.get("Program") or arguments[0]}";')
    if arguments:
        lines += ['\t"ProgramArguments" = (', *(f'\t\t"{word}";' for word in arguments), "\t);"]
    return "\n".join([*lines, "};"]) + "\n"


def listing(services: list[Service]) -> str:
    """The answer to `list`: pid, last status (minus the signal), label."""
    lines = ["PID\tStatus\tLabel"]
    for service in services:
        last = service["last"] or {"exit": 0}
        status = -last["signal"] if "signal" in last else last["exit"]
        lines.append(f"{service['pid'] or '-'}\t{status}\t{service['label']}")
    return "\n".join(lines) + "\n"


def disabled(store: Store, domain: str) -> str:
    """The answer to `print-disabled DOMAIN`."""
    booleans = store.option("disabled_spelling") == "booleans"
    words = {True: "true", False: "false"} if booleans else {True: "disabled", False: "enabled"}
    tab = "\t" if store.option("disabled_indent") else ""
    lines = [""] if tab else []
    lines.append(f"{tab}disabled services = {{")
    lines += [f'{tab}\t"{label}" => {words[off]}' for label, off in sorted(store.overrides(domain).items())]
    lines.append(f"{tab}}}")
    if store.option("login_items"):
        lines += [f"{tab}login item associations = {{", f'{tab}\t"com.example.menu" => disabled', f"{tab}}}"]
    return "\n".join(lines) + "\n"
