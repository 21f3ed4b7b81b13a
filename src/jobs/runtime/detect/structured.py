"""The JSON that the tools print for programs: which objects say how a run ended, and what they say.

Only fields that the tool itself fills count. The text of an answer, a tool's result or a quoted file inside an object
never does, except the final message of an object that calls itself an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from jobs.runtime.detect.match import Context, Found, match_statement
from jobs.runtime.detect.reset import believable
from jobs.runtime.detect.rows import Meaning
from jobs.runtime.detect.screen import one_line

EVENT = '{"type":"rate_limit_event"'
GOOGLE_DAILY = re.compile(
    r"PerDay|Daily|QUOTA_EXHAUSTED|INSUFFICIENT_G1_CREDITS_BALANCE|limit: 0\b", re.IGNORECASE
)
GOOGLE = re.compile(r"generativelanguage|generate_content|gemini|cloudcode", re.IGNORECASE)


def decode(text: str) -> Any:
    """The JSON object, or array of objects, that the whole text is; None if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
        return value
    return None


def embedded_event(line: str) -> dict[str, Any] | None:
    """A rate limit event that was written into the middle of another line of a stream, or None."""
    at = line.find(EVENT)
    try:
        value, _ = json.JSONDecoder().raw_decode(line, at) if at > 0 else (None, 0)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


@dataclass(slots=True)
class Stream:
    """The objects of one run, read in order: `windows` holds Claude Code's last word on each of its windows."""

    context: Context
    windows: dict[str, tuple[bool, int | None]] = field(default_factory=dict)

    def read(self, value: Any) -> Found | None:
        """What an object says about the end of the run (`works` for a good end), or None."""
        found: Found | None = None
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                found = self._read_object(each) or found
        return found

    def rejected(self) -> Found | None:
        """The stop that follows from the windows alone: with several, the later end counts."""
        ends = [end for refused, end in self.windows.values() if refused]
        if not ends:
            return None
        known = [end for end in ends if end is not None]
        names = ", ".join(name for name, (refused, _) in self.windows.items() if refused)
        return Found("quota", f"rate_limit_event: {names} rejected", max(known, default=None))

    def _read_object(self, value: dict[str, Any]) -> Found | None:
        return next((found for found in self._readings(value) if found is not None), None)

    def _readings(self, value: dict[str, Any]) -> Iterator[Found | None]:
        kind = value.get("type")
        if self._counts("claude"):
            if kind == "rate_limit_event":
                yield self._window(value.get("rate_limit_info"))
                return
            if kind == "result" and ("is_error" in value or "result" in value):
                yield self._claude_result(value)
                return
        if self._counts("codex"):
            inner = value.get("msg")
            yield self._codex(inner if isinstance(inner, dict) else value)
        if self._counts("copilot") and kind == "session.error":
            yield self._copilot(value.get("data"))
        if self._counts("copilot") and value.get("code") == "quota_exceeded":
            yield self._copilot(value)
        if self._counts("gemini"):
            yield self._gemini(value)

    def _counts(self, tool: str) -> bool:
        return self.context.tools is None or tool in self.context.tools

    def _window(self, info: Any) -> Found | None:
        if not isinstance(info, dict):
            return None
        name = str(info.get("rateLimitType") or "window")
        refused = info.get("status") == "rejected" and info.get("isUsingOverage") is not True
        end = info.get("resetsAt")
        epoch = None
        if isinstance(end, int | float) and not isinstance(end, bool):
            epoch = believable(int(end), self.context.now, five_hour=name == "five_hour")
        self.windows[name] = (refused, epoch)
        return self.rejected() or Found("works", "")

    def _claude_result(self, value: dict[str, Any]) -> Found:
        if value.get("is_error") is not True:
            self.windows.clear()
            return Found("works", "")
        told = value.get("result")
        text = one_line(told if isinstance(told, str) else "")
        status = value.get("api_error_status")
        stated = match_statement([text], self.context)
        refused = self.rejected()
        if value.get("api_error") == "usage_limit_reached" or (
            refused is not None and (stated is None or stated.meaning in {"quota", "works"})
        ):
            until = stated.until if stated is not None else None
            if refused is not None and refused.until is not None:
                until = refused.until
            return Found(
                "quota", text or (refused.line if refused else ""), until, stated.warning if stated else ""
            )
        if stated is not None and stated.meaning != "works":
            return stated
        return Found(_by_status(status) or "error", text)

    def _codex(self, value: dict[str, Any]) -> Found | None:
        kind = value.get("type")
        if kind in {"turn.completed", "task_complete"}:
            return Found("works", "")
        if kind == "turn.failed" and isinstance(value.get("error"), dict):
            message = value["error"].get("message")
        elif kind == "error":
            message = value.get("message")
        else:
            return None
        return (
            (self._message(message) or Found("error", one_line(message)))
            if isinstance(message, str)
            else None
        )

    def _copilot(self, data: Any) -> Found | None:
        if not isinstance(data, dict):
            return None
        message = data.get("message")
        found = self._message(message) if isinstance(message, str) else None
        code = " ".join(str(data.get(key)) for key in ("errorType", "errorCode", "code") if data.get(key))
        text = one_line(message if isinstance(message, str) else code)
        if re.search(r"user_(?:weekly|monthly|daily)_rate_limited", f"{code} {text}"):
            return Found("quota", text, found.until if found else None)
        if found is not None:
            return found
        if re.search(r"quota", code):
            return Found("billing", text)
        return Found("throttle", text) if "rate_limit" in code else None

    def _gemini(self, value: dict[str, Any]) -> Found | None:
        error = value.get("error")
        if not isinstance(error, dict):
            good = isinstance(value.get("response"), str) and ("stats" in value or "session_id" in value)
            return Found("works", "") if good else None
        message, code = error.get("message"), error.get("code")
        text = one_line(message if isinstance(message, str) else "")
        everything = json.dumps(value)
        exhausted = error.get("status") == "RESOURCE_EXHAUSTED" and GOOGLE.search(everything)
        kind = str(error.get("type"))
        if kind == "TerminalQuotaError" or (exhausted and GOOGLE_DAILY.search(everything)):
            return Found("quota", text)
        if found := match_statement([text], self.context):
            return found
        if kind == "RetryableQuotaError" or exhausted:
            return Found("throttle", text)
        if kind == "FatalAuthenticationError" or code == 41:
            return Found("auth", text)
        return Found(_by_status(code) or "error", text) if "session_id" in value else None

    def _message(self, message: str) -> Found | None:
        return match_statement([one_line(message)], self.context)


def _by_status(status: Any) -> Meaning | None:
    if isinstance(status, bool) or not isinstance(status, int):
        return None
    if status == 402:
        return "billing"
    if status in {401, 403}:
        return "auth"
    return "throttle" if status == 429 or 500 <= status <= 599 else None
