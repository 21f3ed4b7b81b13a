#!/usr/bin/env -S python3 -S -E
"""The double's command line: launchctl's words, plus `--double` for the tests.

The state lies in the folder that LAUNCHCTL_DOUBLE names, else in `state` beside this file.
"""

from __future__ import annotations

import os
import sys
import time

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tests.launchctl import shapes
from tests.launchctl.behaviours import ERRORS
from tests.launchctl.loading import RefusedError, bootout, bootstrap, read_plist
from tests.launchctl.spawn import request_start, stop
from tests.launchctl.state import Store

TYPE_CHECKING = False  # typing itself is dear at every start; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.launchctl.state import Service


WRITES = ("bootstrap", "bootout", "enable", "disable", "kickstart", "kill", "load", "unload")
RICHER = "Try re-running the command as root for richer errors."


def usage(text: str) -> RefusedError:
    """A usage error."""
    return RefusedError(64, f"Usage: launchctl {text}")


def check_domain(store: Store, domain: str) -> str:
    """The domain, when it exists. Raises RefusedError."""
    kind, _, uid = domain.partition("/")
    if kind == "system" and not uid:
        return domain
    if kind not in {"gui", "user", "login"} or not uid.isdigit():
        raise usage("expects a domain target")
    if int(uid) != os.getuid() and os.getuid() != 0:
        raise RefusedError(112, f"Could not find domain for user {kind}: {uid}")
    if kind == "gui" and store.option("session"):
        code = int(store.option("session"))
        raise RefusedError(
            code, f"Could not find domain for user gui: {uid}" if code == 112 else ERRORS[code]
        )
    return domain


def split(store: Store, target: str) -> tuple[str, str]:
    """Domain and label of a service target. Raises RefusedError."""
    kind, _, rest = target.partition("/")
    if kind == "system":
        domain, label = kind, rest
    else:
        uid, _, label = rest.partition("/")
        domain = f"{kind}/{uid}"
    if not label:
        raise usage("expects a service target")
    return check_domain(store, domain), label


def find(store: Store, target: str) -> Service:
    """The loaded service of a target. Raises RefusedError with 113."""
    domain, label = split(store, target)
    service = store.service(domain, label)
    if service is None:
        kind, _, uid = domain.partition("/")
        where = f"user {kind}: {uid}" if uid else kind
        raise RefusedError(113, f'Could not find service "{label}" in domain for {where}')
    return service


def do_bootstrap(store: Store, words: list[str]) -> int:
    """bootstrap DOMAIN PATH..."""
    if len(words) < 2 or words[0].count("/") > 1 or words[0].startswith("-"):
        raise usage("bootstrap <domain-target> [service-path, service-path2, ...]")
    domain = check_domain(store, words[0])
    worst = 0
    for path in words[1:]:
        try:
            bootstrap(store, domain, path)
        except RefusedError as refusal:
            store.log(f"Bootstrap failed ({refusal.code}: {ERRORS[refusal.code]}): {path}")
            if store.option("hide"):
                print(f"Bootstrap failed: 5: {ERRORS[5]}\n{RICHER}", file=sys.stderr)
                worst = 5
                continue
            if refusal.code == 17:
                print(f"{path}: service already bootstrapped", file=sys.stderr)
            print(f"Bootstrap failed: {refusal.code}: {ERRORS[refusal.code]}", file=sys.stderr)
            worst = refusal.code if worst == 0 else 133
    return worst


def do_bootout(store: Store, words: list[str]) -> int:
    """bootout DOMAIN/LABEL, or bootout DOMAIN PATH."""
    if not words or words[0].startswith("-"):
        raise usage("bootout <service-target> or <domain-target> [service-path]")
    if len(words) == 2:
        domain, label = check_domain(store, words[0]), str(read_plist(store, words[1])["Label"])
    elif len(words) == 1 and words[0].rstrip("/").count("/") == (0 if words[0].startswith("system") else 1):
        check_domain(store, words[0].rstrip("/"))
        store.log("the whole domain was booted out: this logs the user out")
        for service in store.services(words[0].rstrip("/")):
            bootout(store, service["domain"], service["label"])
        return 0
    else:
        domain, label = split(store, words[0])
    try:
        return bootout(store, domain, label)
    except RefusedError as refusal:
        raise RefusedError(refusal.code, f"Boot-out failed: {refusal.code}: {ERRORS[refusal.code]}") from None


def do_override(store: Store, words: list[str], disabled: bool) -> int:
    """enable or disable: an override by label, nothing else."""
    if len(words) != 1:
        raise usage("enable|disable <service-target>")
    domain, label = split(store, words[0])
    store.set_override(domain, label, disabled)
    return 0


def do_kickstart(store: Store, words: list[str]) -> tuple[int, float]:
    """kickstart [-k] [-p] TARGET: the status, and the real seconds it blocks before it ends."""
    flags = {word for word in words if word.startswith("-")}
    targets = [word for word in words if not word.startswith("-")]
    if len(targets) != 1 or flags - {"-k", "-p", "-s", "-kp", "-pk"}:
        raise usage("kickstart [-k] [-p] <service-target>")
    service = find(store, targets[0])
    if service["label"] in store.option("kickstart_hangs"):
        return 0, 1e9
    if service["draining"] or service["gone_at"]:
        raise RefusedError(37, f"Could not kickstart service: 37: {ERRORS[37]}")
    kill = bool(flags & {"-k", "-kp", "-pk"})
    if service["pid"]:
        if not kill:
            return (0 if store.option("running_twice") == 0 else int(store.option("running_twice"))), 0.0
        service["pending"] = True
        store.save(service)
        stop(store, service)
        return 0, 0.0
    request_start(store, service, "non-ipc demand")
    fresh = find(store, targets[0])
    blocked = 0.0
    if fresh["state"] == "spawn scheduled":
        throttle = store.seconds(fresh["plist"].get("ThrottleInterval", store.option("throttle_s")))
        blocked = max(0.0, fresh["started"] + throttle - time.time())
    return 0, blocked


def do_kill(store: Store, words: list[str]) -> int:
    """kill SIG TARGET."""
    if len(words) != 2:
        raise usage("kill <signal> <service-target>")
    import signal

    number = (
        int(words[0]) if words[0].isdigit() else signal.Signals[f"SIG{words[0].removeprefix('SIG')}"].value
    )
    service = find(store, words[1])
    if not service["pid"]:
        raise RefusedError(3, "No process to signal.")
    os.kill(service["pid"], number)
    return 0


def do_print(store: Store, words: list[str]) -> int:
    """print DOMAIN or TARGET."""
    if len(words) != 1:
        raise usage("print <domain-target> | <service-target>")
    if words[0].count("/") <= (0 if words[0].startswith("system") else 1):
        domain = check_domain(store, words[0])
        labels = "".join(f"\t\t{s['pid']:>8}  -  \t{s['label']}\n" for s in store.services(domain))
        print(f"{domain} = {{\n\ttype = {domain.partition('/')[0]}\n\n\tservices = {{\n{labels}\t}}\n}}")
        return 0
    sys.stdout.write(shapes.printed(store, find(store, words[0])))
    return 0


def do_list(store: Store, words: list[str]) -> int:
    """list, or list LABEL: the caller's own domain."""
    domain = "system" if store.option("session") and os.getuid() == 0 else f"gui/{os.getuid()}"
    if not words:
        sys.stdout.write(shapes.listing(store.services()))
        return 0
    service = (
        store.service(domain, words[0])
        or store.service("system", words[0])
        or store.service(f"user/{os.getuid()}", words[0])
    )
    if service is None:
        raise RefusedError(113, f'Could not find service "{words[0]}" in domain for port')
    sys.stdout.write(shapes.listed(service))
    return 0


def do_legacy(store: Store, words: list[str], load: bool) -> int:
    """load and unload: 0 whatever happens."""
    domain = f"gui/{os.getuid()}" if os.getuid() else "system"
    for path in (word for word in words if not word.startswith("-")):
        try:
            label = str(read_plist(store, path)["Label"])
            if "-w" in words:
                store.set_override(domain, label, not load)
            if load:
                bootstrap(store, domain, path)
            else:
                bootout(store, domain, label)
        except RefusedError as refusal:
            print(
                f"{'Load' if load else 'Unload'} failed: {refusal.code}: {ERRORS[refusal.code]}",
                file=sys.stderr,
            )
    return 0


def do_blame(store: Store, words: list[str]) -> int:
    """blame TARGET: why it runs."""
    service = find(store, words[0]) if words else None
    if service is None or not service["pid"]:
        raise RefusedError(3, "service is not running")
    print(service["reason"])
    return 0


def do_print_disabled(store: Store, words: list[str]) -> int:
    """print-disabled DOMAIN."""
    if len(words) != 1:
        raise usage("print-disabled <domain-target>")
    sys.stdout.write(shapes.disabled(store, check_domain(store, words[0])))
    return 0


def do_error(_store: Store, words: list[str]) -> int:
    """error N."""
    print(f"{words[0]}: {ERRORS.get(int(words[0])) or os.strerror(int(words[0]))}")
    return 0


def do_version(_store: Store, _words: list[str]) -> int:
    """version."""
    print("launchctl double, after Darwin Bootstrapper 7.0.0")
    return 0


def do_managername(store: Store, _words: list[str]) -> int:
    """managername."""
    print("Background" if store.option("session") else "Aqua")
    return 0


VERBS: dict[str, Callable[[Store, list[str]], int | tuple[int, float]]] = {
    "bootstrap": do_bootstrap,
    "bootout": do_bootout,
    "enable": lambda store, words: do_override(store, words, disabled=False),
    "disable": lambda store, words: do_override(store, words, disabled=True),
    "kickstart": do_kickstart,
    "kill": do_kill,
    "print": do_print,
    "print-disabled": do_print_disabled,
    "list": do_list,
    "load": lambda store, words: do_legacy(store, words, load=True),
    "unload": lambda store, words: do_legacy(store, words, load=False),
    "blame": do_blame,
    "error": do_error,
    "version": do_version,
    "managername": do_managername,
}


def planned(store: Store, words: list[str]) -> dict[str, object] | None:
    """The first planned answer that fits the call; one that is used up is dropped."""
    options = store.options()
    for entry in options.get("script", []):
        if entry["verb"] == words[0] and (
            not entry.get("label") or any(entry["label"] in word for word in words[1:])
        ):
            entry["times"] = entry.get("times", 1) - 1
            options["script"] = [other for other in options["script"] if other.get("times", 1) > 0]
            store.set_options(options)
            return dict(entry)
    return None


def main(words: list[str]) -> int:
    """The exit status of one call."""
    here = os.path.dirname(os.path.abspath(__file__))
    store = Store(os.environ.get("LAUNCHCTL_DOUBLE") or os.path.join(here, "state"))
    if words[:1] == ["--double"]:
        from tests.launchctl.fires import advance

        with store:
            print(advance(store, int(words[2]), asleep=words[1] == "sleep"))
        return 0
    blocked = 0.0
    with store:
        try:
            if not words or words[0] not in VERBS:
                raise usage("<subcommand> ...")
            plan = (
                planned(store, words) if os.path.exists(os.path.join(store.folder, "options.json")) else None
            )
            if plan is not None:
                if plan.get("text"):
                    print(plan["text"], file=sys.stderr)
                status = int(str(plan.get("status", 0)))
                blocked = 1e9 if plan.get("hang") else 0.0
            else:
                result = VERBS[words[0]](store, words[1:])
                status, blocked = (result, 0.0) if isinstance(result, int) else result
        except RefusedError as refusal:
            status = refusal.code
            if refusal.text:
                print(refusal.text, file=sys.stderr)
        sys.stdout.flush()
        store.note_call(words, status)
    if blocked:
        time.sleep(min(blocked, 3600.0))
    if status == 0 and words[0] == "kickstart" and "-p" in words:
        print_pid(store, words[-1])
    return status


def print_pid(store: Store, target: str) -> None:
    """Print the pid of a job that was just started: the bare number, as on anything but a terminal."""
    for _ in range(200):
        with store:
            pid = find(store, target)["pid"]
        if pid:
            print(pid)
            return
        time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
