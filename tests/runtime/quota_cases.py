"""Outputs of our own making, after the wordings that the programs and public reports show, and what they mean.

All of them end at 2026-12-01 10:00 in Asia/Tokyo (01:00 UTC).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

ZONE = "Asia/Tokyo"
NOW = 1796086800


def at(text: str, zone: str = ZONE) -> int:
    """The epoch of `2026-12-01 13:00` in a zone."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


@dataclass(frozen=True, slots=True)
class Case:
    """One output. `until` None means that no reset is known."""

    id: str
    verdict: str
    text: str
    exit_status: int | None = 1
    tool: str | None = None
    until: int | None = None
    maybe: bool = False
    patterns: tuple[str, ...] = ()


def stop(
    name: str, text: str, until: int | None = None, tool: str | None = "claude", code: int | None = 1
) -> Case:
    return Case(name, "quota", text, code, tool, until)


def billing(name: str, text: str, tool: str | None = "claude", code: int | None = 1) -> Case:
    return Case(name, "billing", text, code, tool)


def throttle(name: str, text: str, tool: str | None = "claude", code: int | None = 1) -> Case:
    return Case(name, "throttle", text, code, tool)


def auth(name: str, text: str, tool: str | None = "claude", code: int | None = 1) -> Case:
    return Case(name, "auth", text, code, tool)


def failed(
    name: str, text: str, tool: str | None = None, code: int | None = 1, *, maybe: bool = False
) -> Case:
    return Case(name, "failed", text, code, tool, maybe=maybe)


def ok(name: str, text: str, tool: str | None = None, code: int | None = 0) -> Case:
    return Case(name, "ok", text, code, tool)


ONE_PM = at("2026-12-01 13:00")
FRIDAY = at("2026-12-04 10:00")
LIMIT = "You've hit your session limit · resets 1pm (Asia/Tokyo)"


def event(status: str, window: str = "five_hour", resets: object = ONE_PM, **more: object) -> str:
    info = {"status": status, "resetsAt": resets, "rateLimitType": window, **more}
    return json.dumps({"type": "rate_limit_event", "rate_limit_info": info}, separators=(",", ":"))


def result(text: str, is_error: bool = True, **more: object) -> str:
    told = {"type": "result", "subtype": "success", "is_error": is_error, "result": text, **more}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


CLAUDE_STOPS = [
    stop("pipe", f"Claude AI usage limit reached|{ONE_PM}", ONE_PM),
    stop("pipe-weekly", f"Claude AI usage limit reached|{FRIDAY}\n", FRIDAY),
    stop("pipe-long-ago", "Claude AI usage limit reached|1755615600"),
    throttle("pipe-0", "Claude AI usage limit reached|0"),
    stop("old-5h", "5-hour limit reached ∙ resets 1pm", ONE_PM),
    stop("old-session", "Session limit reached ∙ resets 1pm", ONE_PM),
    stop("old-weekly-half-past", "Weekly limit reached ∙ resets Dec 4, 10:30am", FRIDAY + 1800),
    stop("old-cap", "Spending cap reached ∙ resets 1pm", ONE_PM),
    stop("old-opus", "Opus weekly limit reached · resets Dec 4, 10am (Asia/Tokyo) · ", FRIDAY),
    stop("old-sonnet-4.5", "Sonnet 4.5 limit reached · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop("old-bare-limit", "Limit reached · resets 1pm (Asia/Tokyo) · ", ONE_PM),
    stop("old-dash", "5-hour limit reached - resets 1pm", ONE_PM),
    stop("old-en-dash", "Weekly limit reached – resets Dec 4, 10am", FRIDAY),
    stop("old-admin-clock", "5-hour limit resets 1pm ∙ contact an admin to keep working", ONE_PM),
    billing("old-admin", "Limit reached – contact an admin to keep working"),
    stop("old-upgrade", "5-hour limit reached ∙ resets 1pm\n /upgrade to increase your usage limit.", ONE_PM),
    stop(
        "tui-sentence",
        "Claude usage limit reached. Your limit will reset at 1pm (Asia/Tokyo).",
        ONE_PM,
        code=None,
    ),
    stop("hit-session", LIMIT, ONE_PM),
    stop("hit-5h", "You've hit your 5-hour limit · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop("hit-nameless", "You've hit your limit · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop("hit-weekly", "You've hit your weekly limit · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop("hit-opus", "You've hit your Opus limit · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop("hit-sonnet", "You've hit your Sonnet limit · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop("hit-model-of-tomorrow", "You've hit your Ballad limit · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop(
        "hit-weekly-clock-only",
        "You've hit your weekly limit · resets 8:22am (Asia/Tokyo)",
        at("2026-12-02 08:22"),
    ),
    stop("hit-without-reset", "You've hit your weekly limit"),
    stop(
        "hit-next-year",
        "You've hit your weekly limit · resets Jan 5, 2027, 3:28am (Asia/Tokyo)",
        at("2027-01-05 03:28"),
    ),
    stop("hit-bun", "You've hit your limit · resets Dec 4 at 10am (Asia/Tokyo)", FRIDAY),
    stop(
        "hit-other-zone",
        "You've hit your session limit · resets 5am (Europe/Warsaw)",
        at("2026-12-01 05:00", "Europe/Warsaw"),
    ),
    stop("hit-etc", "You've hit your session limit · resets 1pm (Etc/GMT-9)", ONE_PM),
    stop(
        "hit-utc", "You've hit your weekly limit · resets Dec 2, 4:55am (UTC)", at("2026-12-02 04:55", "UTC")
    ),
    stop("hit-progress", "You've hit your session limit · resets 1pm (Asia/Tokyo) · progress saved", ONE_PM),
    stop(
        "hit-switch",
        "You've hit your Fable limit · resets Dec 4, 10am (Asia/Tokyo). Switch to another model to continue.",
        FRIDAY,
    ),
    stop(
        "hit-just-passed", "You've hit your 5-hour limit · resets 9:58am (Asia/Tokyo)", at("2026-12-01 09:58")
    ),
    stop("hit-5h-old-banner", "You've hit your 5-hour limit · resets 8am (Asia/Tokyo)"),
    stop("reached-your", "You've reached your weekly limit · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop("curly-apostrophe", "You’ve hit your session limit · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop("modifier-apostrophe", "Youʼve hit your session limit · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop("no-break-spaces", "You've hit your session limit\u00a0·\u202fresets 1pm\u00a0(Asia/Tokyo)", ONE_PM),
    stop("bullet-separator", "You've hit your session limit • resets 1pm (Asia/Tokyo)", ONE_PM),
    stop(
        "coloured", "\x1b[31mYou've hit your session limit\x1b[0m · resets 1pm (Asia/Tokyo)\x1b[K\r\n", ONE_PM
    ),
    stop(
        "cursor-moves",
        "\x1b[2K\x1b[GYou've\x1b[1Chit\x1b[1Cyour\x1b[1Csession\x1b[1Climit\x1b[1C·\x1b[1Cresets\x1b[1C1pm",
        ONE_PM,
    ),
    stop(
        "tui-tree",
        "  ⎿  5-hour limit reached ∙ resets 1pm\n     /upgrade to increase your usage limit.",
        ONE_PM,
        code=None,
    ),
    stop("tui-box", "│ You've hit your session limit · resets 1pm (Asia/Tokyo) │", ONE_PM, code=None),
    stop("wrapped-before-reset", "You've hit your session limit ·\nresets 1pm (Asia/Tokyo)", ONE_PM),
    stop("wrapped-in-name", "You've hit your\nsession limit · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop(
        "org-spend",
        "You've hit your org's monthly spend limit · ask your admin to raise it at https://x.example · your 5-hour limit resets 1pm (Asia/Tokyo)",
    ),
    stop("extra-usage-dated", "You're out of extra usage · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop("usage-credits-dated", "You're out of usage credits · resets 1pm (Asia/Tokyo)", ONE_PM),
    billing("usage-credits", "You're out of usage credits. Add funds to continue."),
    billing("org-funds", "Your org is out of usage · add funds to continue"),
    billing("org-admin", "Your org is out of usage · contact your admin"),
    billing("seat", "Your seat type doesn't include usage credits"),
    billing("seat-curly", "Your seat type doesn’t include usage credits"),
    billing("disabled", "Your usage allocation has been disabled by your admin"),
    billing("group-zero", "Your group's usage limit is set to $0 · ask your admin for a higher limit"),
    billing("model-credits", "Opus 5 requires usage credits."),
    billing("credit-balance", "Credit balance is too low"),
    billing("credit-balance-exit-0", "Credit balance is too low\n", code=0),
    billing(
        "credit-400",
        'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}',
    ),
    stop("exit-0-one-line", LIMIT + "\n", ONE_PM, code=0),
    stop("exit-0-twice", LIMIT + "\n\n" + LIMIT + "\n", ONE_PM, code=0),
    stop("exit-0-with-remedy", LIMIT + "\n/upgrade to increase your usage limit.\n", ONE_PM, code=0),
    stop("exit-124", LIMIT + "\n", ONE_PM, code=124),
    stop("no-tool-named", LIMIT, ONE_PM, tool=None),
]

CLAUDE_OTHER = [
    throttle("api-429", 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"x"}}'),
    throttle("api-rejected", "API Error: Request rejected (429) · slow down"),
    throttle("api-reached", "API Error: Rate limit reached"),
    throttle("api-reached-exit-0", "API Error: Rate limit reached\n", code=0),
    throttle(
        "not-your-limit",
        "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited",
    ),
    throttle(
        "529-json",
        'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ),
    throttle(
        "529-words",
        "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
    ),
    throttle("529-repeated", "API Error: Repeated 529 Overloaded errors"),
    throttle(
        "500",
        'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
    ),
    auth("invalid-key", "Invalid API key · Fix external API key"),
    auth("invalid-key-login", "Invalid API key · Please run /login"),
    auth("not-logged-in", "Not logged in · Please run /login"),
    auth("oauth-expired", "OAuth token has expired · Please run /login"),
    auth("oauth-revoked", "OAuth token revoked · Please run /login"),
    auth(
        "api-401",
        'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid"}} · Please run /login',
    ),
    failed("prompt-too-long", "Prompt is too long", "claude"),
    failed("context", "Context limit reached · /compact or /clear to continue", "claude"),
    failed("connection", "API Error: Connection error.", "claude"),
    failed("no-response", "No response requested.", "claude"),
    ok("warning-used", "You've used 92% of your session limit · resets 1pm (Asia/Tokyo)", "claude"),
    failed(
        "warning-used-then-failed",
        "You've used 92% of your session limit · resets 1pm (Asia/Tokyo)",
        "claude",
    ),
    ok("warning-close", "You're close to your weekly limit · resets Dec 4, 10am", "claude", None),
    ok("warning-approaching", "Approaching weekly usage limit · resets 1pm", "claude"),
    ok("warning-over", "Over 75% of your 5-hour limit · resets 1pm", "claude"),
    ok("now-using", "You're now using extra usage · Your session limit resets 1pm (Asia/Tokyo)", "claude"),
    ok("now-using-credits", "Now using usage credits · Your weekly limit resets 1pm", "claude"),
    ok(
        "stop-then-paid", LIMIT + "\nYou're now using extra usage · Your session limit resets 1pm\n", "claude"
    ),
    failed(
        "maybe-new-wording", "Plan ceiling hit: usage limit resets 1pm (Asia/Tokyo)", "claude", maybe=True
    ),
    failed(
        "maybe-exit-0", "Quota gone for this window, limit resets 1pm (Asia/Tokyo)\n", "claude", 0, maybe=True
    ),
    failed("maybe-then-note", "Your allowance limit resets 1pm\n[10:00:03] giving up", "claude", maybe=True),
    failed("maybe-json", result("Your allowance is gone, the limit resets 1pm"), "claude", maybe=True),
    failed("other-error-later-than-maybe", "your limit resets 1pm\nfatal: no such branch", "claude"),
]

JSON_CASES = [
    stop(
        "json-flag",
        result(
            "You've hit your 5-hour limit · resets 1pm (Asia/Tokyo)",
            api_error="usage_limit_reached",
            api_error_status=429,
        ),
        ONE_PM,
    ),
    stop(
        "json-flag-new-words", result("Come back soon", api_error="usage_limit_reached", api_error_status=429)
    ),
    stop("json-old", result("5-hour limit reached · resets 1pm (Asia/Tokyo) · "), ONE_PM),
    stop("json-exit-0", result("5-hour limit reached · resets 1pm (Asia/Tokyo) · "), ONE_PM, code=0),
    stop(
        "json-pretty", json.dumps(json.loads(result("5-hour limit reached · resets 1pm")), indent=2), ONE_PM
    ),
    stop(
        "json-array",
        "["
        + event("rejected")
        + ","
        + result("You've hit your 5-hour limit · resets 1pm", api_error="usage_limit_reached")
        + "]",
        ONE_PM,
    ),
    stop(
        "json-stamped",
        "[10:00:01] " + result("You've hit your 5-hour limit · resets 1pm (Asia/Tokyo)"),
        ONE_PM,
    ),
    stop(
        "json-between-lines", lines("[10:00:00] start", result(LIMIT), "[10:00:01] claude exited 1"), ONE_PM
    ),
    throttle("json-429", result("API Error: Rate limit reached", api_error_status=429)),
    throttle("json-429-new-words", result("Please slow down", api_error_status=429)),
    throttle("json-529", result("API Error: 529 Overloaded. Try later.", api_error_status=529)),
    throttle("json-503-new-words", result("Hm", api_error_status=503)),
    billing("json-credit", result("Credit balance is too low", api_error_status=400)),
    auth("json-401", result("Invalid API key · Fix external API key", api_error_status=401)),
    auth("json-401-new-words", result("Who are you?", api_error_status=401)),
    failed(
        "json-max-turns",
        '{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":3}',
        "claude",
    ),
    failed("json-error-exit-0", result("Prompt is too long"), "claude", 0),
    ok("json-quotes-a-limit", result(f'The tool prints "{LIMIT}" then.', is_error=False), "claude"),
    ok("json-is-a-limit-but-fine", result(LIMIT, is_error=False), "claude"),
    failed("json-fine-job-failed", lines(result(LIMIT, is_error=False), "fatal: push rejected"), "claude"),
    stop("stream-rejected", lines(event("rejected", resets=ONE_PM + 25), result("new words")), ONE_PM + 25),
    stop("stream-milliseconds", lines(event("rejected", resets=ONE_PM * 1000), result(LIMIT)), ONE_PM),
    stop(
        "stream-two-windows",
        lines(event("rejected"), event("rejected", "seven_day", FRIDAY), result(LIMIT)),
        FRIDAY,
    ),
    stop("stream-five-hour-too-far", lines(event("rejected", resets=FRIDAY), result("new words"))),
    stop("stream-without-result", event("rejected") + "\n", ONE_PM),
    stop("stream-without-resets-at", lines(event("rejected", resets=None), result(LIMIT)), ONE_PM),
    stop(
        "stream-glued",
        lines(
            '{"type":"assistant","message":{"con' + event("rejected") + 'tent":[]}}',
            result("You've hit your limit"),
        ),
        ONE_PM,
    ),
    stop(
        "stream-broken-lines",
        lines('{"type":"assistant","mess', event("rejected"), "}}", result(LIMIT)),
        ONE_PM,
    ),
    ok("stream-allowed", lines(event("allowed"), result("done", is_error=False)), "claude"),
    ok("stream-warning", lines(event("allowed_warning"), result("done", is_error=False)), "claude"),
    ok("stream-rejected-then-fine", lines(event("rejected"), result("done", is_error=False)), "claude"),
    ok(
        "stream-overage",
        lines(event("rejected", isUsingOverage=True), result("done", is_error=False)),
        "claude",
    ),
    failed(
        "stream-overage-then-failed",
        lines(event("rejected", isUsingOverage=True), result("Prompt is too long")),
        "claude",
    ),
    failed("stream-rejected-allowed", lines(event("rejected"), event("allowed")), "claude"),
    failed(
        "stream-tool-result",
        '{"type":"user","message":{"content":[{"type":"tool_result","content":"You\'ve hit your limit · resets 1pm"}]}}',
        "claude",
    ),
    failed(
        "stream-event-in-tool-result",
        json.dumps({"type": "user", "message": {"content": event("rejected")}}),
        "claude",
    ),
    failed(
        "stream-assistant-says-so",
        '{"type":"assistant","message":{"content":[{"type":"text","text":"You\'ve hit your limit · resets 1pm"}]}}',
        "claude",
    ),
    stop("json-after-fence", lines("```", "x", "```", result(LIMIT)), ONE_PM),
    failed("json-in-fence", lines("```json", result(LIMIT), "```", "fatal: no"), "claude"),
    failed(
        "json-other-error-later",
        lines(result(LIMIT), "fatal: unable to access 'https://x.example/'"),
        "claude",
    ),
]

CODEX_CASES = [
    stop(
        "plus",
        "ERROR: You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 11:35 AM.",
        at("2026-12-01 11:35"),
        "codex",
    ),
    stop(
        "team",
        "ERROR: You’ve hit your usage limit. To get more access now, send a request to your admin or try again at Dec 4th, 2026 10:05 AM.",
        at("2026-12-04 10:05"),
        "codex",
    ),
    stop(
        "ordinals-1st",
        "ERROR: You’ve hit your usage limit. Try again at Jan 1st, 2027 12:00 AM.",
        at("2027-01-01 00:00"),
        "codex",
    ),
    stop(
        "ordinals-2nd",
        "ERROR: You’ve hit your usage limit. Try again at Dec 2nd, 2026 12:05 PM.",
        at("2026-12-02 12:05"),
        "codex",
    ),
    stop(
        "ordinals-3rd",
        "ERROR: You’ve hit your usage limit. Try again at Dec 3rd, 2026 9:05 AM.",
        at("2026-12-03 09:05"),
        "codex",
    ),
    stop("no-reset", "ERROR: You’ve hit your usage limit. Try again later.", None, "codex"),
    stop(
        "past-date",
        "ERROR: You've hit your usage limit. Try again at Sep 18th, 2026 12:04 AM.",
        None,
        "codex",
    ),
    stop(
        "model",
        "ERROR: You’ve hit your usage limit for gpt-5.2-codex. Switch to another model now, or try again at 11:35 AM.",
        at("2026-12-01 11:35"),
        "codex",
    ),
    stop(
        "duration",
        "■ You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.",
        NOW + 2 * 86400 + 17 * 3600 + 14 * 60,
        "codex",
    ),
    stop(
        "duration-wrapped",
        "■ You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11\nminutes.",
        NOW + 5 * 86400 + 22 * 3600 + 660,
        "codex",
    ),
    stop("duration-one-minute", "■ You've hit your usage limit. Try again in 1 minute.", NOW + 60, "codex"),
    stop(
        "after-banner",
        lines(
            "OpenAI Codex v0.171.0",
            "--------",
            "user",
            "write about limits",
            "ERROR: You’ve hit your usage limit. Try again at 11:35 AM.",
            "ERROR: You’ve hit your usage limit. Try again at 11:35 AM.",
        ),
        at("2026-12-01 11:35"),
        "codex",
    ),
    stop(
        "json",
        lines(
            '{"type":"turn.started"}',
            '{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Try again at 11:35 AM."}}',
        ),
        at("2026-12-01 11:35"),
        "codex",
    ),
    stop(
        "json-2025",
        '{"id":"0","msg":{"type":"error","message":"You\'ve hit your usage limit. Try again at 11:35 AM."}}',
        at("2026-12-01 11:35"),
        "codex",
    ),
    billing(
        "not-included",
        "ERROR: To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.",
        "codex",
    ),
    billing("insufficient", "ERROR: Quota exceeded. Check your plan and billing details.", "codex"),
    billing("credits", "ERROR: Your workspace is out of credits. Ask your admin to add more.", "codex"),
    billing(
        "cap",
        "ERROR: You hit your spend cap set in your workspace. Increase your spend cap to continue.",
        "codex",
    ),
    billing(
        "cap-json", '{"type":"error","message":"You hit your spend cap set in your workspace."}', "codex"
    ),
    throttle("429", "ERROR: exceeded retry limit, last status: 429 Too Many Requests", "codex"),
    throttle("503", "ERROR: exceeded retry limit, last status: 503 Service Unavailable", "codex"),
    throttle("capacity", "ERROR: Selected model is at capacity. Please try a different model.", "codex"),
    auth("401", "ERROR: exceeded retry limit, last status: 401 Unauthorized", "codex"),
    auth("401-unexpected", "ERROR: unexpected status 401 Unauthorized: Missing bearer", "codex"),
    ok(
        "answer-on-stderr",
        lines(
            "user",
            "quote it",
            "codex",
            "You've hit your usage limit. Try again at 3:04 PM.",
            "tokens used",
            "1,234",
        ),
        "codex",
    ),
    ok(
        "heads-up",
        "Heads up, you have less than 25% of your 5h limit left. Run /status for a breakdown.",
        "codex",
    ),
    failed(
        "json-fine-then-failed",
        lines(
            '{"type":"item.completed","item":{"type":"agent_message","text":"You\'ve hit your usage limit."}}',
            '{"type":"turn.completed","usage":{}}',
        ),
        "codex",
    ),
    failed(
        "json-other",
        '{"type":"turn.failed","error":{"message":"stream disconnected before completion"}}',
        "codex",
    ),
]

OTHER_TOOLS = [
    stop(
        "gemini-text",
        lines(
            "Attempt 1 failed: You have exhausted your daily quota on this model.",
            "Please retry in 7.1s.",
            "Error when talking to Gemini API Full report available at: /tmp/x.json TerminalQuotaError: You have exhausted your daily quota on this model.",
            "    at classifyGoogleError (file:///x.js:1:1)",
            "  cause: {",
            "    code: 429",
            "  }",
            "}",
        ),
        None,
        "gemini",
    ),
    stop(
        "gemini-json",
        '{\n  "session_id": "0",\n  "error": {\n    "type": "Error",\n    "message": "You have exhausted your daily quota on this model.",\n    "code": 429\n  }\n}',
        None,
        "gemini",
        173,
    ),
    stop(
        "gemini-ui",
        "Usage limit reached for all Pro models.\nAccess resets at 3:04 PM GMT+9.\n/stats model for usage details",
        at("2026-12-01 15:04"),
        "gemini",
        None,
    ),
    stop(
        "gemini-ui-model",
        "Usage limit reached for gemini-2.5-pro.\nAccess resets at 3:04 PM GMT+9.",
        at("2026-12-01 15:04"),
        "gemini",
        None,
    ),
    stop(
        "gemini-api-per-day",
        '[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaMetric":"generativelanguage.googleapis.com/x","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"7s"}]}}]',
        None,
        "gemini",
    ),
    throttle(
        "gemini-api-per-minute",
        '{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaMetric":"generativelanguage.googleapis.com/x","quotaId":"GenerateRequestsPerMinutePerProject"}]}]}}',
        "gemini",
    ),
    throttle(
        "gemini-minute",
        "Error when talking to Gemini API Full report available at: /tmp/x.json RetryableQuotaError: You exceeded your current quota, please check your plan and billing details.",
        "gemini",
    ),
    throttle("gemini-demand", "We are currently experiencing high demand.", "gemini", None),
    auth(
        "gemini-41",
        '{"session_id":"0","error":{"type":"Error","message":"Please set an Auth method","code":41}}',
        "gemini",
        41,
    ),
    ok(
        "gemini-json-fine",
        '{"session_id":"0","response":"You have exhausted your daily quota on this model.","stats":{}}',
        "gemini",
    ),
    failed(
        "gemini-sheets",
        '{"error":{"code":429,"message":"Quota exceeded for quota metric \'Read requests\' of service \'sheets.googleapis.com\'","status":"RESOURCE_EXHAUSTED"}}',
        "gemini",
    ),
    stop(
        "copilot-58",
        "✗ Sorry, you've hit a rate limit that restricts the number of Copilot model requests you can make within a specific time period. Please try again in 58 hours.",
        NOW + 58 * 3600,
        "copilot",
    ),
    stop(
        "copilot-weekly",
        "You've reached your weekly rate limit. Please wait for your limit to reset on December 4, 2026 at 10:00 AM or switch to auto model.",
        FRIDAY,
        "copilot",
    ),
    stop(
        "copilot-json",
        '{"type":"session.error","data":{"errorType":"rate_limit","message":"Sorry, you\'ve hit a rate limit that restricts the number of Copilot model requests. Please try again in 51 hours."}}',
        NOW + 51 * 3600,
        "copilot",
    ),
    stop(
        "copilot-json-weekly-code",
        '{"type":"session.error","data":{"errorType":"rate_limit","errorCode":"user_weekly_rate_limited","message":"Sorry, you have been rate-limited. Please wait 2 minutes."}}',
        None,
        "copilot",
    ),
    throttle(
        "copilot-json-short",
        '{"type":"session.error","data":{"errorType":"rate_limit","message":"Sorry, you have been rate-limited. Please wait 2 minutes."}}',
        "copilot",
    ),
    throttle(
        "copilot-short",
        "✗ Sorry, you've hit a rate limit that restricts the number of Copilot model requests. Please try again in 30 seconds.",
        "copilot",
    ),
    throttle(
        "copilot-wait",
        "Sorry, you have been rate-limited. Please wait 2 minutes before you try again.",
        "copilot",
    ),
    billing("copilot-402", "✘ Execution failed: 402 You have no quota", "copilot"),
    billing(
        "copilot-upgrade",
        "✘ Quota exceeded. Upgrade to increase your limit:\n   https://github.com/features/copilot/plans",
        "copilot",
    ),
    ok(
        "copilot-switched",
        "You have exceeded your premium request allowance. We have automatically switched you to GPT-4.1 which is included.",
        "copilot",
    ),
    stop(
        "cursor",
        "Error: You've hit your usage limit\nGet Cursor Pro for more Agent usage, unlimited Tab, and more.\nYour usage limits will reset when your monthly cycle ends on 12/17/2026.",
        at("2026-12-17 00:00"),
        "cursor",
    ),
    stop(
        "cursor-date",
        "Error: You've hit your usage limit\nYour usage limits will reset when your monthly cycle ends on 12/17/2026.",
        at("2026-12-17 00:00"),
        "cursor",
    ),
    billing("cursor-grpc", "[resource_exhausted] Error", "cursor"),
    stop(
        "amazon-q",
        "Monthly request limit reached\nThe limits reset on 12/05.",
        at("2026-12-05 00:00"),
        "amazon-q",
    ),
    throttle("amazon-q-burst", "Request quota exceeded. Please wait a moment and try again.", "amazon-q"),
    stop("kiro-monthly", "The monthly usage limit has been reached (request_id: 0e06d8cd)", None, "kiro"),
    stop(
        "kiro-daily",
        "You've reached your daily usage limit. Please return tomorrow to continue building.",
        None,
        "kiro",
    ),
    throttle("kiro-throttled", "The request was throttled by the service", "kiro"),
    throttle(
        "aider",
        lines(
            "litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for gpt-4o",
            "The API provider has rate limited you. Try again later or check your quotas.",
            "Retrying in 0.2 seconds...",
        ),
        "aider",
    ),
    billing(
        "aider-empty",
        "litellm.RateLimitError: OpenAIException - You exceeded your current quota, please check your plan and billing details.",
        "aider",
    ),
    billing(
        "llm-empty",
        "Error: Error code: 429 - You exceeded your current quota, please check your plan and billing details.",
        "llm",
    ),
    throttle(
        "llm-rate", "Error: Error code: 429 - Rate limit reached for gpt-4o. Please try again in 20s.", "llm"
    ),
    auth("llm-401", "Error: Error code: 401 - Incorrect API key provided", "llm"),
    auth(
        "llm-no-key",
        "Error: No key found - add one using 'llm keys set openai' or set the OPENAI_API_KEY environment variable.",
        "llm",
    ),
    billing(
        "sdk-openai",
        lines(
            "Traceback (most recent call last):",
            '  File "x.py", line 3, in <module>',
            "openai.RateLimitError: Error code: 429 - {'error': {'message': 'You exceeded your current quota', 'code': 'insufficient_quota'}}",
        ),
        "openai",
    ),
    billing(
        "sdk-anthropic",
        "anthropic.BadRequestError: Error code: 400 - {'error': {'message': 'Your credit balance is too low to access the Anthropic API.'}}",
        "claude",
    ),
    throttle(
        "sdk-anthropic-429",
        "anthropic.RateLimitError: Error code: 429 - {'type': 'error', 'error': {'type': 'rate_limit_error'}}",
        "anthropic",
    ),
    throttle("gh-primary", "gh: API rate limit exceeded for user ID 1. (HTTP 403)", "gh"),
]

POSITIONS = [
    stop("in-job", lines("[09:00:01] start", LIMIT, "[09:00:03] claude exited 1, giving up"), ONE_PM, None),
    stop("stamped", lines("[09:59:58] start", "[10:00:00] " + LIMIT), ONE_PM, None),
    stop("stamped-day", lines("2026-12-01T10:00:00+09:00 " + LIMIT), ONE_PM, None),
    failed("stamped-old-day", lines("cat yesterday.log", "2026-11-20 09:00:00 " + LIMIT)),
    stop("make", lines(LIMIT, "make: *** [digest] Error 1"), ONE_PM, None),
    stop("npm", lines(LIMIT, "npm ERR! code ELIFECYCLE", "npm ERR! errno 1"), ONE_PM, None),
    stop(
        "python-wrapper",
        lines(
            LIMIT,
            "Traceback (most recent call last):",
            '  File "run.py", line 9, in <module>',
            "subprocess.CalledProcessError: Command '['claude', '-p']' returned non-zero exit status 1.",
        ),
        ONE_PM,
        None,
    ),
    stop(
        "two-banners",
        lines("You've hit your session limit · resets 11am (Asia/Tokyo)", "again", LIMIT),
        ONE_PM,
        None,
    ),
    stop("after-much-output", lines(*[f"step {n}" for n in range(500)], LIMIT), ONE_PM, None),
    stop(
        "own-notice-behind",
        lines(LIMIT, "[jobs 2026-12-01T10:00:00+0900] digest: could not reach the end"),
        ONE_PM,
        None,
    ),
    failed("own-notice-alone", lines("[jobs 2026-12-01T10:00:00+0900] digest: " + LIMIT)),
    failed("far-from-the-end", lines(LIMIT, *[f"step {n}" for n in range(9)])),
    failed(
        "error-later", lines(LIMIT, "fatal: unable to access 'https://x.example/': Could not resolve host")
    ),
    failed("error-later-python", lines(LIMIT, "ValueError: no article")),
    failed("error-later-command", lines(LIMIT, "./run.sh: line 3: jq: command not found")),
    failed("quoted-gt", lines("> " + LIMIT)),
    failed("quoted-pipe", lines("| " + LIMIT)),
    failed("quoted-backtick", lines("`" + LIMIT + "`")),
    failed("quoted-double", lines('"' + LIMIT + '"')),
    failed("quoted-curly", lines("“" + LIMIT + "”")),
    failed("quoted-indent", lines("    " + LIMIT)),
    failed("list-item", lines("- " + LIMIT), maybe=True),
    failed("diff-line", lines("+" + LIMIT), maybe=True),
    failed("grep-line", lines("src/limits.ts:12: " + LIMIT), maybe=True),
    failed("inside-a-line", lines("The tool said: " + LIMIT), maybe=True),
    failed("fenced", lines("# Limits", "```", LIMIT, "```")),
    failed("fenced-tilde", lines("~~~", LIMIT, "~~~")),
    failed("fence-left-open", lines("```text", LIMIT)),
    failed(
        "article-bare",
        lines(
            "# Limits",
            "",
            "When this line comes, wait.",
            "",
            LIMIT,
            "",
            "Then start it again, and all will be well for the day.",
        ),
    ),
    failed("announced", lines("Claude Code prints:", LIMIT, "and ends with 1")),
    ok("exit-0-in-article", lines("# Limits", LIMIT, "Then wait.")),
    ok("exit-0-first-line", lines(LIMIT, "retried and done")),
    ok("exit-0-json-and-text", lines(result(LIMIT), "fallback worked")),
    failed("question", "You've hit your weekly limit? Here is what to do"),
    failed("not-a-limit", "You've hit your stride, keep going"),
    failed("articles-limit", "You've reached your limit of free articles."),
    failed("own-server-rate", "You've hit your rate limit. Please try again in 5 minutes.", maybe=True),
    Case("empty-failed", "failed", "", 1),
    Case("empty-ok", "ok", "", 0),
    Case("exit-75", "quota", "nothing known", 75),
    Case("exit-75-with-reset", "quota", LIMIT, 75, "claude", ONE_PM),
]

STRANGERS = [
    failed("disk-quota", "cp: error writing 'x': Disk quota exceeded"),
    failed(
        "sheets",
        "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user'",
    ),
    failed("npm-429", "npm ERR! 429 Too Many Requests - GET https://registry.example.org/left-pad"),
    failed("docker", "toomanyrequests: You have reached your unauthenticated pull rate limit."),
    failed("card", "Usage limit reached for card ending in 4711"),
    failed("card-weekly", "Weekly limit reached for customer 4711"),
    failed("sessions-of-a-database", "FATAL: session limit reached"),
    failed("download", "Download limit reached · resets in 5 minutes", maybe=True),
    failed("file-limit", "File limit reached"),
    failed("fast-mode", "Fast mode limit reached", "claude"),
    failed("grpc-service", "rpc error: code = ResourceExhausted desc = quota"),
    failed("generic-resource", "Resource has been exhausted (e.g. check quota)."),
    failed("cooling-down", "provider anthropic is cooling down"),
    failed("nvm", "Now using node v22.17.0 (npm v10.9.2)"),
    failed("watchdog-echo", "API rate limit was detected. Try to continue from where you left off."),
    failed("claude-guard-github", "gh: API rate limit exceeded for user ID 1. (HTTP 403)", "claude"),
    failed("claude-guard-codex", "ERROR: Quota exceeded. Check your plan and billing details.", "claude"),
    failed("timeout", "Terminated", None, 124),
    ok("test-names", "        PASS [   0.229s] store::tests::record_rate_limit_returns_id"),
    ok("weekly-report", "quota stops this week: 3 (5-hour limit reached 2, weekly limit reached 1)"),
    failed(
        "issue-titles",
        lines(
            "181\tOPEN\tYou've hit your limit is not detected",
            "209\tOPEN\tLimit reached · resets 1pm misread",
            "error: could not create branch",
        ),
    ),
]

OWN_PATTERNS = [
    Case("own-pattern", "quota", "BUDGET GONE until 1pm", 1, None, None, patterns=("budget gone",)),
    Case("own-pattern-reset", "quota", "budget gone, resets 1pm", 1, None, ONE_PM, patterns=("budget gone",)),
    Case("own-pattern-alone", "failed", LIMIT, 1, None, None, True, patterns=("budget gone",)),
    Case("own-pattern-and-tool", "quota", LIMIT, 1, "claude", ONE_PM, patterns=("budget gone",)),
    Case("own-pattern-exit-0", "ok", "budget gone\nbut went on", 0, None, None, patterns=("budget gone",)),
    Case(
        "own-pattern-later-error", "failed", "budget gone\nfatal: x", 1, None, None, patterns=("budget gone",)
    ),
]

MORE = [
    stop(
        "exit-0-with-indented-remedy",
        LIMIT + "\n     /upgrade to increase your usage limit.\n",
        ONE_PM,
        code=0,
    ),
    stop("wrapped-at-40", "You've hit your weekly limit · resets\nDec 4, 10am (Asia/Tokyo)", FRIDAY),
    stop("wrapped-before-zone", "You've hit your session limit · resets 1pm\n(Asia/Tokyo)", ONE_PM),
    stop("wrapped-in-date", "You've hit your weekly limit · resets Dec\n4, 10am (Asia/Tokyo)", FRIDAY),
    stop(
        "wrapped-codex",
        "ERROR: You’ve hit your usage limit. Upgrade to Plus to continue using\nCodex (https://chatgpt.com/explore/plus), or\ntry again at 11:35 AM.",
        at("2026-12-01 11:35"),
        "codex",
    ),
    failed(
        "quoted-indent-marked", lines("    ERROR: You’ve hit your usage limit. Try again later."), "codex"
    ),
    stop("hit-bare", "hit your session limit · resets 1pm (Asia/Tokyo)", ONE_PM),
    stop("have-hit", "You have hit your weekly limit · resets Dec 4, 10am (Asia/Tokyo)", FRIDAY),
    billing("copilot-json-402", '{"message":"You have no quota","code":"quota_exceeded"}', "copilot"),
    billing("copilot-402-json", '402 {"message":"You have no quota","code":"quota_exceeded"}', "copilot"),
    throttle("kiro-burst", "Request quota exceeded. Please wait a moment and try again.", "kiro"),
    ok(
        "screen-explained",
        lines("❯ what does this mean?", LIMIT, "● It means that the window is used up."),
        "claude",
        None,
    ),
    stop("screen-with-footer", lines(LIMIT, "", "❯ ", "  ? for shortcuts"), ONE_PM, "claude", None),
    ok("exit-0-number-before", lines("1", LIMIT, "2 articles"), "claude"),
    stop("monthly-spend", "You've hit your monthly spend limit · your 5-hour limit resets 1pm (Asia/Tokyo)"),
    throttle("api-retrying", "API Error (529 Overloaded) · Retrying in 5 seconds"),
    throttle("repeated", "Repeated 529 Overloaded errors"),
    auth("please-login", "Please run /login"),
    stop(
        "copilot-hit-weekly",
        "You've hit your weekly rate limit. Please try again in 51 hours.",
        NOW + 51 * 3600,
        "copilot",
    ),
    stop("cursor-free", "Error: You've hit your free requests limit", None, "cursor"),
    auth("codex-login", "Not logged in. Please run 'codex login'", "codex"),
    auth(
        "codex-refresh",
        "ERROR: Your access token could not be refreshed. Please log out and sign in again.",
        "codex",
    ),
    throttle("codex-unexpected", "ERROR: unexpected status 503 Service Unavailable", "codex"),
    throttle(
        "codex-demand",
        "ERROR: We’re currently experiencing high demand, which may cause temporary errors.",
        "codex",
    ),
    stop(
        "gemini-ui-error", "✕ [API Error: You have exhausted your daily quota on this model.]", None, "gemini"
    ),
    stop(
        "gemini-class",
        "TerminalQuotaError: You have exhausted your daily quota on this model. Please retry in 7.1s.",
        None,
        "gemini",
    ),
    throttle("gemini-class-minute", "RetryableQuotaError: You exceeded your current quota", "gemini"),
    auth("gemini-key", "API key not valid. Please pass a valid API key.", "gemini"),
    auth(
        "gemini-key-talking",
        "Error when talking to Gemini API Full report available at: /tmp/x.json ApiError: API key not valid.",
        "gemini",
    ),
    stop(
        "gemini-sdk-day",
        "google.genai.errors.ClientError: 429 RESOURCE_EXHAUSTED. {'quotaId': 'GenerateRequestsPerDayPerProjectPerModel'}",
        None,
        "gemini",
    ),
    throttle(
        "gemini-sdk-minute",
        "google.genai.errors.ClientError: 429 RESOURCE_EXHAUSTED. {'quotaId': 'GenerateRequestsPerMinute'}",
        "gemini",
    ),
    stop(
        "copilot-weekly-code",
        "Sorry, you have been rate-limited. Please wait 2 minutes. (user_weekly_rate_limited)",
        None,
        "copilot",
    ),
    billing("copilot-bare-402", "402 You have no quota", "copilot"),
    auth("copilot-auth", "Error: No authentication information found.", "copilot"),
    throttle("kiro-too-many", "Too many requests, please wait before trying again.", "kiro"),
    auth("aider-auth", "litellm.AuthenticationError: AnthropicException - invalid x-api-key", "aider"),
    throttle("aider-down", "The API provider's servers are down or overloaded.", "aider"),
    throttle(
        "gh-http", "HTTP 403: API rate limit exceeded for user ID 1. (https://api.github.com/user)", "gh"
    ),
    auth("gh-login", "To get started with GitHub CLI, please run:  gh auth login", "gh"),
    billing(
        "sdk-402",
        "openai.APIStatusError: Error code: 402 - {'error': {'message': 'Insufficient Balance'}}",
        "openai",
    ),
]

CASES: tuple[Case, ...] = (
    *MORE,
    *CLAUDE_STOPS,
    *CLAUDE_OTHER,
    *JSON_CASES,
    *CODEX_CASES,
    *OTHER_TOOLS,
    *POSITIONS,
    *STRANGERS,
    *OWN_PATTERNS,
)
