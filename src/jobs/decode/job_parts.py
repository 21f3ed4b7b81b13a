"""The keys of a job that have a table of their own, and its log."""

from __future__ import annotations

import re
from typing import Literal

from jobs.decode.reader import Reader
from jobs.decode.settings import decode_window
from jobs.decode.units import UnitError, checked_bytes, parse_size
from jobs.model.forms import HTTP, LOCK_NAME
from jobs.model.job import CatchupReason, Lock, LockMethod, Notify, Once, Period, Window
from jobs.read.nodes import Node, Scalar, Table
from jobs.read.toml_tree import quoted

PERIODS: tuple[Period, ...] = ("slot", "hour", "day", "week", "month")
REASONS: tuple[CatchupReason, ...] = ("guard", "missed", "busy", "failed")


def decode_lock(node: Node | None, job: str, read: Reader) -> Lock | None:
    """The lock of a job: its own by default, none when `lock = false`."""
    if node is None or read.boolean(node) is True:
        return Lock(job)
    if read.boolean(node) is False:
        return None
    if isinstance(node, Table):
        name = _lock_name(node.node("name"), read)
        wait = read.duration(node.node("wait"), "wait", zero=True)
        method: LockMethod = "flock" if read.string(node.node("method")) == "flock" else "mkdir"
        return Lock(job if name is None else name, wait or 0, method)
    name = _lock_name(node, read)
    return Lock(job if name is None else name)


def _lock_name(node: Node | None, read: Reader) -> str | None:
    text = read.name(node)
    if text is None or node is None:
        return None
    if not re.fullmatch(LOCK_NAME, text):
        from jobs.decode.retell import name_sentence

        read.findings.add("M004", node.span, *name_sentence("lock", text, "_ and -"))
        return None
    return text


def decode_once(node: Node | None, read: Reader) -> Once | None:
    """At most one run per which period, or None."""
    if isinstance(node, Table):
        text = read.string(node.node("per"))
        mark: Literal["start", "success"] = (
            "success" if read.string(node.node("mark")) == "success" else "start"
        )
    else:
        text, mark = read.string(node), "start"
    period = next((period for period in PERIODS if period == text), None)
    return None if period is None else Once(period, mark)


def decode_reasons(node: Node | None, read: Reader) -> tuple[CatchupReason, ...]:
    """The reasons of a `for`, in their own order; empty when there is none."""
    texts = {text for _, text in read.strings(node)}
    return tuple(reason for reason in REASONS if reason in texts)


def decode_job_catchup(node: Node | None, read: Reader) -> tuple[tuple[CatchupReason, ...], Window | None]:
    """The reasons and the window that a job's `catchup` table gives; empty and None for what it leaves out."""
    if not isinstance(node, Table):
        return (), None
    return decode_reasons(node.node("for"), read), decode_window(node.node("window"), "window", read)


def decode_notify(node: Node | None, read: Reader) -> Notify:
    """Who is told of what."""
    if not isinstance(node, Table):
        return Notify()
    told: dict[str, tuple[str, ...] | str | None] = {}
    ping = node.node("ping")
    base = _target(ping, "ping", read) if read.string(ping) is not None else None
    if isinstance(base, str):
        base = base.rstrip("/")
        told = {"start": f"{base}/start", "success": base, "failure": f"{base}/fail"}
    for event in ("start", "success", "failure", "recovery"):
        if event in node.entries:
            told[event] = _target(node.node(event), event, read)
    return Notify(**told)


def _target(node: Node | None, event: str, read: Reader) -> tuple[str, ...] | str | None:
    text = read.string(node)
    if text is None or node is None:
        return read.argv(node, event)
    if re.match(HTTP, text) and not re.search(r"[\x00-\x20\x7f]", text):
        return text
    message = f"`{event}` is {quoted(text)}: a string must be an http(s) URL"
    fix = f"write a URL, or a command as an array: {event} = [{quoted(text)}]"
    read.findings.add("M004", node.span, message, "write a URL" if event == "ping" else fix)
    return None


def decode_size(node: Node | None, read: Reader) -> int | None:
    """The bytes of `log_max`, or None."""
    number = read.integer(node)
    if number is None or not isinstance(node, Scalar):
        return read.quantity(node, "log_max", parse_size)
    if number < 1:
        return None  # the schema says so
    try:
        return checked_bytes(number)
    except UnitError as error:
        read.findings.add("M004", node.span, f"`log_max` is {number}: {error.message}", error.fix)
        return None
