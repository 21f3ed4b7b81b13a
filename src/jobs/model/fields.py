"""THE table of manifest keys: the schema, the reader's messages and the reference page are made from it.

A `Form` is what a value may look like: its JSON Schema, and the words for it in messages. A `Field` is a key in one
of the tables of `TABLES`; every key that can be written stands here once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
PLAIN_NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]*$"
DURATION = r"^(?=[0-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$"
SIZE = r"^[0-9]+ ?(B|KB|MB|GB)$"
UMASK = r"^0?[0-7]{3}$"
RESERVED_JOB = "catchup"  # the tool's own job


@dataclass(frozen=True, slots=True)
class Form:
    """What a value may look like: its JSON Schema, and in words, fit to stand after "must be"."""

    schema: Mapping[str, Any]
    words: str


def _any_of(words: str, *schemas: Mapping[str, Any]) -> Form:
    return Form({"anyOf": list(schemas)}, words)


_TEXT = {"type": "string", "minLength": 1}
_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}

STRING = Form(_TEXT, "a string that is not empty")
ANY_STRING = Form({"type": "string"}, "a string")
PATH = Form(_TEXT, "a path (a string)")
PATHS = Form(_TEXTS, "an array of paths (strings)")
STRINGS = Form(_TEXTS, "an array of strings")
COMMAND = _any_of(
    'an array of strings (program and arguments), or a string (a line for "/bin/sh -c")',
    _TEXT,
    {"type": "array", "items": {"type": "string"}, "minItems": 1},
)
ARGV = Form(
    {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "an array of strings (program and arguments)",
)
BOOLEAN = Form({"type": "boolean"}, "true or false")
_DURATION = {"type": "string", "pattern": DURATION}
DURATION_FORM = Form(_DURATION, 'a duration, such as "90s", "45m", "6h" or "1h30m"')
DURATION_OR_OFF = _any_of(f"{DURATION_FORM.words}, or false", _DURATION, {"const": False})
WINDOW = _any_of('"today", or a duration such as "6h"', {"const": "today"}, _DURATION)
SIZE_FORM = _any_of(
    'a size, such as "10MB" or "512KB"',
    {"type": "string", "pattern": SIZE},
    {"type": "integer", "minimum": 1},
)
COUNT = Form({"type": "integer", "minimum": 0, "maximum": 1000}, "a whole number from 0 to 1000")
UMASK_FORM = Form({"type": "string", "pattern": UMASK}, 'an octal mask as a string, such as "022"')
ENVIRONMENT = Form(
    {"type": "object", "additionalProperties": {"type": "string"}},
    "a table of variables, whose values are strings",
)
CRON = Form(_TEXT, 'a cron expression, such as "*/15 9-17 * * 1-5" (a string)')
NAME_FORM = Form({"type": "string", "pattern": PLAIN_NAME}, "a name of letters, digits, - and _")
RAW = Form({"type": "object"}, "a table of launchd.plist(5) keys")
VERSION = Form({"const": 1}, "1")


def one_of(*values: str) -> Form:
    """A form for a closed set of words."""
    return Form({"enum": list(values)}, "one of " + ", ".join(f'"{value}"' for value in values))


def some_of(*values: str) -> Form:
    """An array of words from a closed set."""
    listed = ", ".join(f'"{value}"' for value in values)
    return Form(
        {"type": "array", "items": {"enum": list(values)}, "minItems": 1}, f"an array of any of {listed}"
    )


def _ref(table: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{table}"}


PERIOD = one_of("slot", "hour", "day", "week", "month")
GUARDS = _any_of(
    "the name of a guard, an array of names, or false",
    {"type": "string", "pattern": PLAIN_NAME},
    {"type": "array", "items": {"type": "string", "pattern": PLAIN_NAME}, "minItems": 1},
    {"const": False},
)
_CALENDAR_ITEM = {"anyOf": [_TEXT, _ref("at")]}
CALENDAR = _any_of(
    'a time such as "09:30" or "mon-fri 18:30", a table with `time`, or an array of them',
    _TEXT,
    _ref("at"),
    {"type": "array", "items": _CALENDAR_ITEM, "minItems": 1},
)
_NUMBERS_OR_TEXT: tuple[Mapping[str, Any], ...] = (
    {"type": "integer"},
    _TEXT,
    {"type": "array", "items": {"anyOf": [{"type": "integer"}, _TEXT]}, "minItems": 1},
)
DAY_FORM = _any_of(
    'a day of the month (1 to 31), a range such as "1-7", "last", or an array of them', *_NUMBERS_OR_TEXT
)
WEEKDAY_FORM = _any_of(
    'a weekday such as "mon", a range such as "mon-fri", 0 to 7 (0 and 7 are Sunday), or an array of them',
    *_NUMBERS_OR_TEXT,
)
MONTH_FORM = _any_of('a month such as "jan" or 1 to 12, a range, or an array of them', *_NUMBERS_OR_TEXT)
TIME_FORM = _any_of('a time such as "09:30", or an array of times', _TEXT, _TEXTS)
LOCK = _any_of("true, false, a name, or a table", BOOLEAN.schema, NAME_FORM.schema, _ref("lock"))
ONCE = _any_of('"slot", "hour", "day", "week" or "month", or a table', PERIOD.schema, _ref("once"))
CATCHUP = _any_of("true, false, or a table", BOOLEAN.schema, _ref("job-catchup"))
KEEP_ALIVE = _any_of("true, false, or a table of conditions", BOOLEAN.schema, {"type": "object"})
HOOK = _any_of("a command (an array of strings), or a URL", _TEXT, ARGV.schema)
PROBE = _any_of('"canary", or a command (an array of strings)', {"const": "canary"}, ARGV.schema)
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
"""The built-in detectors (runtime/detect knows them; a test keeps the two alike)."""


def table(name: str) -> Form:
    """A form for a table of TABLES."""
    return Form(_ref(name), "a table")


def tables(name: str) -> Form:
    """A form for a table of tables, by name."""
    return Form({"type": "object", "additionalProperties": _ref(name)}, "a table of tables")


@dataclass(frozen=True, slots=True)
class Field:
    """One key: its form, what it means (one sentence, shown by editors), an example in TOML's terms, its default."""

    name: str
    form: Form
    about: str
    example: Any
    default: Any = None
    required: bool = False


TABLES: Mapping[str, tuple[Field, ...]] = {
    "manifest": (
        Field("version", VERSION, "Version of the manifest's form.", 1, required=True),
        Field("project", table("project"), "What all jobs share.", {"name": "one-ceo"}, required=True),
        Field("env", ENVIRONMENT, "Variables of every job; a job's own env wins.", {"LANG": "ja_JP.UTF-8"}),
        Field(
            "defaults",
            table("defaults"),
            "Any job key, for every job that does not set it itself.",
            {"timeout": "45m"},
        ),
        Field(
            "guards",
            tables("guard"),
            "Breakers, one per account of a provider, by name.",
            {"claude": {"tool": "claude"}},
        ),
        Field(
            "catchup", table("catchup"), "The job that makes up what a quota stop skipped.", {"every": "15m"}
        ),
        Field("lint", table("lint"), "Settings of `jobsctl lint`.", {"ignore": ["S012"]}),
        Field(
            "jobs", tables("job"), "The jobs, by name.", {"digest": {"run": ["bin/digest"], "at": "07:00"}}
        ),
    ),
    "project": (
        Field(
            "name",
            Form({"type": "string", "pattern": NAME}, "a name of letters, digits, ., - and _"),
            "Name of the project; part of its folders.",
            "one-ceo",
            required=True,
        ),
        Field(
            "prefix",
            STRING,
            "Label of a job = prefix.NAME, in reverse domain form.",
            "com.example",
            required=True,
        ),
        Field(
            "root",
            PATH,
            "Folder of the project on the Mac that runs the jobs; base of relative paths.",
            "/Users/kim/work/one-ceo",
            required=True,
        ),
        Field("home", PATH, "What ~ means; also the jobs' HOME.", "/Users/kim", required=True),
        Field("user", STRING, "The jobs' USER and LOGNAME.", "kim", "last part of home"),
        Field(
            "path",
            PATHS,
            "The jobs' PATH.",
            ["/opt/homebrew/bin", "/usr/bin", "/bin"],
            ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"],
        ),
        Field("logs", PATH, "Folder of the logs.", "~/Library/Logs/one-ceo", "~/Library/Logs/NAME"),
        Field(
            "state",
            PATH,
            "Folder of locks, claims, breakers and records.",
            "~/Library/Application Support/one-ceo",
            "~/Library/Application Support/NAME",
        ),
        Field(
            "domain",
            one_of("gui", "user", "system"),
            "Domain of launchd: gui (logged in at the screen), user (without), system (daemons).",
            "gui",
            "gui",
        ),
        Field("output", PATH, "Folder of the generated files, under root.", "generated", "generated"),
    ),
    "guard": (
        Field("tool", one_of(*TOOLS), "A built-in detector of quota stops.", "claude"),
        Field(
            "patterns",
            STRINGS,
            "Regular expressions of your own: a line of the output that one matches is a quota stop.",
            ["^quota exceeded"],
        ),
        Field(
            "cooldown",
            DURATION_FORM,
            "How long to stay open when the tool names no reset time; doubled with each refusal in a row, up to two hours.",
            "30m",
            "15m",
        ),
        Field(
            "probe",
            PROBE,
            "What is tried past the reset time: the first waiting job (canary), or a command.",
            "canary",
            "canary",
        ),
    ),
    "catchup": (
        Field("every", DURATION_OR_OFF, "How often its launchd job looks; false: it has none.", "15m", "15m"),
        Field("window", WINDOW, "How late a skipped slot may still be made up.", "6h", "today"),
        Field("timeout", DURATION_FORM, "How long one run may take while catching up.", "45m", "45m"),
        Field(
            "pause", DURATION_FORM, "Pause between two runs, for the provider's burst limit.", "10s", "10s"
        ),
    ),
    "lint": (
        Field("select", STRINGS, "Only these rules, or groups by their letter.", ["L", "S"]),
        Field("ignore", STRINGS, "Never these rules.", ["S012"]),
        Field(
            "fail_on",
            one_of("info", "warning", "error"),
            "The severity from which on `jobsctl lint` fails.",
            "warning",
            "warning",
        ),
    ),
    "job": (
        Field("about", ANY_STRING, "What the job is for, in a sentence.", "Post one article a day", ""),
        Field(
            "run",
            COMMAND,
            "The program with its arguments (an array, no shell in between), or a line for /bin/sh -c.",
            ["scripts/post.sh", "--random"],
            required=True,
        ),
        Field("cwd", PATH, "Working folder.", "~/work", "root"),
        Field("env", ENVIRONMENT, "Variables of this job.", {"TZ": "Asia/Tokyo"}),
        Field(
            "env_file",
            PATH,
            "File of KEY=VALUE lines, read by the wrapper with export: the place for secrets.",
            "~/.config/one-ceo/secrets.env",
        ),
        Field("umask", UMASK_FORM, "The job's umask.", "077", "022"),
        Field(
            "at",
            CALENDAR,
            "Calendar times: all given fields must match.",
            ["08:00", "mon-fri 18:30", {"time": "07:00", "day": "last"}],
        ),
        Field("cron", CRON, "Calendar times in cron's form and meaning.", "*/15 9-17 * * 1-5"),
        Field("every", DURATION_FORM, "Interval, counted from the load of the job.", "30m"),
        Field("watch", PATHS, "Start when one of these paths changes.", ["~/Dropbox/in"]),
        Field("at_load", BOOLEAN, "Start when the job is loaded: at install, login or boot.", True, False),
        Field("keep_alive", KEEP_ALIVE, "Keep the job running.", True, False),
        Field(
            "timezone",
            STRING,
            "IANA zone in which the calendar times are meant.",
            "Asia/Tokyo",
            "zone of the Mac",
        ),
        Field(
            "deadline",
            DURATION_FORM,
            "A slot later than this is dropped, with a record, instead of run late.",
            "2h",
        ),
        Field("guard", GUARDS, "The breaker or breakers that are asked before a start.", "claude"),
        Field(
            "lock",
            LOCK,
            "One holder per name; jobs that share a name exclude each other.",
            {"name": "publish", "wait": "10m"},
            True,
        ),
        Field("once", ONCE, "At most one run per period.", "day"),
        Field("timeout", DURATION_FORM, "Then TERM to the whole process group.", "45m"),
        Field("kill_after", DURATION_FORM, "From TERM to KILL.", "20s", "20s"),
        Field(
            "catchup",
            CATCHUP,
            "Whether skipped slots are made up.",
            {"for": ["guard", "missed"]},
            "true for a guarded calendar job",
        ),
        Field("log", PATH, "Log file; the wrapper rotates it.", "~/Library/Logs/post.log", "logs/NAME.log"),
        Field("log_max", SIZE_FORM, "Size at which the log is rotated.", "5MB", "10MB"),
        Field("log_keep", COUNT, "How many rotated logs are kept.", 3, 5),
        Field("notify", table("notify"), "Who is told.", {"failure": ["bin/tell-me"]}),
        Field("enabled", BOOLEAN, "false: compiled, but not loaded.", False, True),
        Field("launchd", RAW, "Any other launchd.plist(5) key.", {"Nice": 10, "ProcessType": "Background"}),
    ),
    "at": (
        Field("time", TIME_FORM, "Time of day, or several.", "07:00", required=True),
        Field("weekday", WEEKDAY_FORM, "Weekdays.", "mon-fri"),
        Field("day", DAY_FORM, "Days of the month.", "last"),
        Field("month", MONTH_FORM, "Months.", ["jan", "jul"]),
    ),
    "lock": (
        Field("name", NAME_FORM, "Name of the lock.", "publish", "name of the job"),
        Field("wait", DURATION_FORM, "Wait that long instead of skipping.", "10m", "0s"),
        Field(
            "method",
            one_of("mkdir", "flock"),
            "mkdir: links in a folder; flock: the kernel's lock.",
            "mkdir",
            "mkdir",
        ),
    ),
    "once": (
        Field("per", PERIOD, "The period.", "day", required=True),
        Field(
            "mark",
            one_of("start", "success"),
            "start: at most one start; success: a failed run may be tried again.",
            "success",
            "start",
        ),
    ),
    "job-catchup": (
        Field(
            "for",
            some_of("guard", "missed", "busy", "failed"),
            "What is made up: skipped by the guard, missed while the Mac was off, lock held, failed.",
            ["guard", "missed"],
            ["guard"],
        ),
        Field("window", WINDOW, "How late a slot may still be made up.", "24h", "window of [catchup]"),
    ),
    "notify": (
        Field(
            "ping",
            STRING,
            "URL of a dead man's switch (healthchecks.io form): URL/start, URL, URL/fail.",
            "https://hc.example/uuid",
        ),
        Field("start", HOOK, "When the job starts.", ["bin/tell-me"]),
        Field("success", HOOK, "When it ended well.", ["bin/tell-me"]),
        Field("failure", HOOK, "When it failed.", ["bin/tell-me"]),
        Field("recovery", HOOK, "When it ended well after a failure.", ["bin/tell-me"]),
    ),
}

SAME_AS: Mapping[str, str] = {"defaults": "job"}
"""Tables with the keys of another one, none of them required."""


@dataclass(frozen=True, slots=True)
class _Index:
    by_table: Mapping[str, Mapping[str, Field]] = field(
        default_factory=lambda: {name: {entry.name: entry for entry in rows} for name, rows in TABLES.items()}
    )


_INDEX = _Index()


def fields_of(table_name: str) -> Mapping[str, Field]:
    """The keys of a table, by name, in the order of the reference."""
    return _INDEX.by_table[SAME_AS.get(table_name, table_name)]
