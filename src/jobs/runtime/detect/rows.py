"""What the tools print when they stop: a table, one row a wording.

A row matches at the start of a line (after time stamp and error mark), never inside it: the same words stand in
articles, test names, issue titles and in the answers of the tools themselves. `start` is the literal beginning, in lower
case and with plain quotes; `rest` is a regular expression for what follows, so that most rows cost one comparison.
Wordings come from the programs themselves and from public reports; the tests hold dated samples of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "failed", "quota", "billing", "auth", "throttle"]
Meaning = Literal["quota", "billing", "auth", "throttle", "works", "error"]

SEP = r"\s?[∙·•⋅–—-]"  # four kinds were seen, more look the same
# What may follow the word limit in a statement: nothing, a separator, a reset, the end of the sentence.
TAIL = rf"(?=$|{SEP}(?:\s|$)|\.(?:\s|$)|\s+resets?\b|,? (?:please )?(?:try again|upgrade)\b)"
WINDOW = r"(?:\d+-hour|session|daily|weekly|monthly|usage)"
FAMILY = r"(?:opus|sonnet|haiku|fable|claude)(?: \d[\d.]*)?"
MODEL = (
    r"(?-i:[A-Z])[\w.-]*(?: \d[\d.]*)?"  # models of tomorrow: any one name, where the rest is unmistakable
)
YOURS = (
    rf"(?:(?:{FAMILY} |{MODEL} (?={WINDOW}))?(?:{WINDOW} ){{0,2}}(?:limit|cap){TAIL}"
    rf"|usage limit for [\w .:-]{{1,60}}\.|{MODEL} limit{SEP} resets\b)"
)


@dataclass(frozen=True, slots=True)
class Row:
    """A wording. `tools` are those that print it.

    `reset` False: the times in the line belong to something else. `undated` is what it means without a reset.
    `scoped` True: said by too many others, so it counts only for a guard that names the tool. `brief` is what it
    means when it asks to wait for no more than five minutes.
    """

    tools: str
    meaning: Meaning
    start: str
    rest: str = ""
    reset: bool = True
    undated: Meaning | None = None
    brief: Meaning | None = None
    scoped: bool = False


_CLAUDE = (
    # still working, or not yet out: no stop, whatever else the line says
    Row("claude", "works", "you've used ", r"\S*\d"),
    Row("claude", "works", "you're close to "),
    Row("claude", "works", "approaching ", r"[\w .-]{1,40}limit"),
    Row("claude", "works", "over ", r"\d+\s?% of"),
    Row("claude", "works", "you're now using "),
    Row("claude", "works", "now using ", r"(?:extra usage|usage credits)"),
    Row("claude", "works", "context limit reached"),
    # the account's window is used up
    Row(
        "claude", "throttle", "claude ai usage limit reached|0", r"$"
    ),  # printed for a 429 that names no window
    Row("claude", "quota", "claude ai usage limit reached", rf"\|\d+|{TAIL}"),
    Row("claude", "quota", "claude usage limit reached", TAIL),
    Row("claude", "billing", "", rf"(?:{WINDOW} )?limit reached{SEP} ?contact an admin"),
    Row(
        "claude",
        "quota",
        "",
        rf"(?:{WINDOW} |{FAMILY} |{MODEL} {WINDOW} |spending )?(?:limit|cap) reached{SEP}\s?(?:resets?\b|/|$)",
    ),
    Row("claude", "quota", "", rf"(?:{MODEL} )?{WINDOW} limit resets? .{{3,60}}{SEP}\s?contact an admin"),
    Row(
        "claude",
        "quota",
        "you've hit your ",
        r"(?:org(?:anization)?|team|workspace|group|seat)(?:'s)? (?:monthly |weekly |daily )?(?:spend|spending|usage) (?:limit|cap)\b",
        reset=False,
    ),
    Row("claude", "quota", "you've hit your ", r"monthly (?:spend|spending) (?:limit|cap)\b", reset=False),
    # without a reset there is nothing to wait for: somebody has to buy
    Row("claude", "quota", "you're out of ", rf"(?:extra usage|usage credits?){TAIL}", undated="billing"),
    Row(
        "claude",
        "billing",
        "your org",
        rf"(?:anization)? is out of (?:usage|usage credits){TAIL}",
        reset=False,
    ),
    Row("claude", "billing", "your seat type doesn't include ", reset=False),
    Row("claude", "billing", "your usage allocation has been disabled", reset=False),
    Row("claude", "billing", "your group's usage limit is set to $0", reset=False),
    Row("claude", "billing", "", r"(?-i:[A-Z])[\w. -]{1,40} requires usage credits?(?:\.|$)", reset=False),
    Row("claude", "billing", "credit balance is too low", rf"$|\.|{SEP} "),
    Row("claude", "billing", "your credit balance is too low"),
    Row("claude", "billing", "api error: 400", r".*credit balance is too low"),
    # the server is busy, or this minute's share is used: no account is empty
    Row("claude", "throttle", "api error: rate limit reached"),
    Row("claude", "throttle", "api error: server is temporarily limiting requests"),
    Row("claude", "throttle", "api error: request rejected (429)"),
    Row("claude", "throttle", "api error: ", r"\(?(?:429|5\d\d)\b"),
    Row("claude", "throttle", "api error (", r"(?:429|5\d\d)\b"),
    Row("claude", "throttle", "api error: ", r"(?:repeated 529|overloaded)"),
    Row("claude", "throttle", "repeated 529 overloaded"),
    # who are you
    Row("claude", "auth", "invalid api key", rf"{SEP} "),
    Row("claude", "auth", "not logged in", rf"{SEP} "),
    Row("claude", "auth", "oauth token ", r"(?:has expired|revoked|has been revoked)"),
    Row("claude", "auth", "please run /login"),
    Row(
        "claude",
        "auth",
        "api error: ",
        r"(?:401|403)\b.*(?:authentication|permission|/login|oauth|credential)",
    ),
)

_SHARED = (
    Row("claude codex cursor copilot kiro", "quota", "you've hit your ", YOURS),
    Row("claude codex cursor copilot kiro", "quota", "you've reached your ", YOURS),
    Row("copilot", "quota", "you've hit your ", rf"{WINDOW} rate limit{TAIL}"),
    Row("copilot", "quota", "you've reached your ", rf"{WINDOW} rate limit{TAIL}"),
    Row(
        "claude",
        "quota",
        "",
        rf"(?:you have )?(?:hit|reached) your (?:{MODEL} |{WINDOW} ){{0,2}}limit{SEP} ?resets\b",
    ),
    Row("cursor", "quota", "you've hit your free requests limit", TAIL),
)

_CODEX = (
    Row("codex", "works", "heads up, you"),
    Row("codex", "billing", "to use codex with your chatgpt plan, upgrade"),
    Row("codex", "billing", "quota exceeded. check your plan and billing details"),
    Row("codex", "billing", "your workspace is out of credits"),
    Row("codex", "billing", "you hit your spend cap"),
    Row("codex", "auth", "exceeded retry limit, last status: 401"),
    Row("codex", "auth", "unexpected status 401"),
    Row("codex", "auth", "not logged in. please run", reset=False),
    Row("codex", "auth", "your access token could not be refreshed"),
    Row("codex", "throttle", "exceeded retry limit, last status: ", r"(?:429|5\d\d)"),
    Row("codex", "throttle", "stream error: exceeded retry limit, last status: ", r"(?:429|5\d\d)"),
    Row("codex", "throttle", "unexpected status ", r"(?:429|5\d\d)"),
    Row("codex", "throttle", "selected model is at capacity"),
    Row("codex", "throttle", "we're currently experiencing high demand"),
)

_GEMINI = (
    Row("gemini", "quota", "you have exhausted your ", r"(?:daily |capacity|quota)", reset=False),
    Row("gemini", "quota", "api error: you have exhausted your ", r"(?:daily |capacity|quota)", reset=False),
    Row("gemini", "quota", "error when talking to gemini api", r".*\bterminalquotaerror: ", reset=False),
    Row(
        "gemini",
        "throttle",
        "error when talking to gemini api",
        r".*(?:\bretryablequotaerror: |\b503\b|overloaded)",
    ),
    Row("gemini", "quota", "terminalquotaerror: ", reset=False),
    Row("gemini", "throttle", "retryablequotaerror: "),
    Row(
        "gemini", "throttle", "attempt ", r"\d+ failed: .*(?:quota|overloaded|exhausted|429|503)", scoped=True
    ),
    Row("gemini", "quota", "usage limit reached for ", r"(?:all [\w. -]{1,30}models|gemini[\w.-]*)\.?$"),
    Row("gemini", "throttle", "we are currently experiencing high demand"),
    Row("gemini", "throttle", "resource has been exhausted (e.g. check quota)", scoped=True),
    Row("gemini", "auth", "please set an auth method"),
    Row("gemini", "auth", "api key not valid. please pass a valid api key"),
    Row(
        "gemini",
        "auth",
        "error when talking to gemini api",
        r".*(?:api key not valid|api_key_invalid|unauthenticated)",
    ),
)

_COPILOT = (
    Row("copilot", "works", "you have exceeded your premium request allowance", r".*switched"),
    Row("copilot", "quota", "sorry, you've hit a rate limit that restricts ", brief="throttle"),
    Row(
        "copilot",
        "quota",
        "sorry, you have been rate-limited",
        r".*user_(?:weekly|monthly|daily)_rate_limited",
        reset=False,
    ),
    Row("copilot", "throttle", "sorry, you have been rate-limited"),
    Row("copilot", "billing", "you have no quota"),
    Row("copilot", "billing", "402 ", r".*(?:quota_exceeded|you have no quota)"),
    Row("copilot", "billing", "execution failed: 402"),
    Row("copilot", "billing", "model call failed: ", r".*(?:quota_exceeded|you have no quota)"),
    Row("copilot", "billing", "quota exceeded. upgrade to increase your limit"),
    Row("copilot", "auth", "no authentication information found"),
)

_OTHERS = (
    Row("cursor", "billing", "", r"(?:s: )?\[resource_exhausted\] error$"),
    Row("amazon-q", "quota", "monthly request limit reached", TAIL),
    Row("kiro amazon-q", "throttle", "request quota exceeded. please wait a moment"),
    Row("kiro amazon-q", "quota", "the ", r"(?:monthly|weekly|daily) usage limit has been reached\b"),
    Row("kiro amazon-q", "throttle", "too many requests, please wait before trying again"),
    Row("kiro amazon-q", "throttle", "the request was throttled by the service"),
    Row(
        "aider",
        "billing",
        "litellm.",
        r"\w+: .*(?:insufficient_quota|exceeded your current quota|credit balance is too low)",
    ),
    Row("aider", "throttle", "litellm.", r"(?:ratelimiterror|internalservererror|serviceunavailableerror): "),
    Row("aider", "auth", "litellm.authenticationerror: "),
    Row("aider", "throttle", "the api provider has rate limited you"),
    Row("aider", "throttle", "the api provider's servers are down or overloaded"),
    Row("llm", "auth", "no key found - add one using"),
    Row("gh", "throttle", "gh: you have exceeded a secondary rate limit"),
    Row("gh", "throttle", "gh: api rate limit exceeded"),
    Row(
        "gh",
        "throttle",
        "http 403: ",
        r"(?:api rate limit exceeded|you have exceeded a secondary rate limit)",
    ),
    Row("gh", "auth", "to get started with github cli, please run: gh auth login"),
)

_SDK = r"(?:(?:openai|anthropic)\.\w+: )?error code: "
_EMPTY = r"(?:exceeded your current quota|insufficient_quota|credit balance is too low)"
_SDKS = (
    Row("llm openai anthropic", "billing", "", rf"{_SDK}4\d\d - .*{_EMPTY}"),
    Row("llm openai anthropic", "billing", "", rf"{_SDK}402 - "),
    Row("llm openai anthropic", "throttle", "", rf"{_SDK}(?:429|5\d\d) - "),
    Row("llm openai anthropic", "auth", "", rf"{_SDK}401 - "),
    Row("gemini", "quota", "", r"google\.\w+\.errors\.clienterror: 429 .*(?:perday|daily)", reset=False),
    Row("gemini", "throttle", "", r"google\.\w+\.errors\.(?:clienterror: 429|servererror: 503) "),
)

ROWS: tuple[Row, ...] = _CLAUDE + _SHARED + _CODEX + _GEMINI + _COPILOT + _OTHERS + _SDKS

TOOLS = (
    "claude",
    "codex",
    "gemini",
    "copilot",
    "cursor",
    "kiro",
    "amazon-q",
    "aider",
    "llm",
    "openai",
    "anthropic",
    "gh",
)
ALIASES = {
    "claude-code": "claude",
    "gemini-cli": "gemini",
    "copilot-cli": "copilot",
    "github-copilot": "copilot",
    "cursor-agent": "cursor",
    "kiro-cli": "kiro",
    "q": "amazon-q",
    "amazon-q-cli": "amazon-q",
    "openai-sdk": "openai",
    "anthropic-sdk": "anthropic",
}
# A job that starts Claude Code may well talk to the same account through the SDK; the others speak through llm or aider.
RELATED = {
    "claude": ("anthropic",),
    "llm": ("openai", "anthropic", "gemini"),
    "aider": ("openai", "anthropic", "gemini"),
}

# One of these words is in every line that a row can match (grep -E -i). Kept short: a wrapper asks it after each run.
CHEAP_WORDS = (
    "limit|quota|usage|credit|spend cap|cap reached|overloaded|capacity|exhausted|high demand|throttled|too many requests"
    '|log(ged)? ?in|api key|auth|oauth|token|litellm|429|(error|status|code|failed|http)[": (]+[45][0-9][0-9]'
    "|upgrade to|no key found"
)


def tools_of(tool: str | None) -> frozenset[str] | None:
    """The tools whose rows count for a guard's `tool`; None for all of them. Raises KeyError for an unknown name."""
    if tool is None or tool in {"job", "any"}:
        return None
    name = ALIASES.get(tool, tool)
    if name not in TOOLS:
        raise KeyError(tool)
    return frozenset({name, *RELATED.get(name, ())})


def cheap_words(patterns: tuple[str, ...] = ()) -> str:
    """An extended regular expression for `grep -E -i -q`: output without a match holds nothing that `judge` could find.

    With patterns of the user's own, which are Python's and not grep's, it matches everything.
    """
    return "." if patterns else CHEAP_WORDS
