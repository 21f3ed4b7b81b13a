"""THE table of manifest keys: the loader, the JSON Schema, the reference page and every suggestion read it."""

from __future__ import annotations

from dataclasses import dataclass

from jobs.model.forms import (
    ABSOLUTE,
    ARGV,
    BOOLEAN,
    DURATION_TEXT,
    ENV_NAME,
    FALSE,
    HTTP,
    LOCK_NAME,
    LOCK_NAME_TEXT,
    NAME,
    NAME_TEXT,
    PATH,
    PREFIX,
    SIZE_TEXT,
    STRING,
    TEXT,
    UMASK,
    Form,
    array_of,
    one_of,
)

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
DEFAULT_PATH = ("/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")
DEFAULT_LANG = "en_US.UTF-8"
RESERVED_JOB = "catchup"  # the name of the tool's own job


@dataclass(frozen=True, slots=True)
class Field:
    """One key. `table` is where it stands, by the name of a `Table`; `default` and `example` are TOML, ready to paste.

    `default` is empty where leaving the key out means "not at all", and in words (without TOML) where it depends.
    `also` are names that people use elsewhere for the same thing: they earn a suggestion.
    """

    table: str
    name: str
    forms: tuple[Form, ...]
    about: str
    example: str
    default: str = ""
    required: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table. `header` is how it is written; `keys` is the pattern of the names when the user chooses them."""

    name: str
    header: str
    about: str
    keys: str = ""
    items: tuple[Form, ...] = ()  # of the values, when the user chooses the names


TABLES = (
    Table("manifest", "", "The whole file."),
    Table("project", "[project]", "Who and where: paths and names that all jobs share."),
    Table("env", "[env]", "Environment variables of every job.", ENV_NAME, (STRING,)),
    Table("guards", "[guards]", "The breakers, by name.", LOCK_NAME, (Form("table", "a table", table="guard"),)),
    Table("guard", "[guards.NAME]", "A breaker: one account of one provider, shared by all jobs that name it."),
    Table("catchup", "[catchup]", "How skipped slots are made up."),
    Table("lint", "[lint]", "Which findings count."),
    Table("jobs", "[jobs]", "The jobs, by name.", NAME, (Form("table", "a table", table="job"),)),
    Table("job", "[jobs.NAME]", "A job. The same keys in [defaults] hold for every job that does not set its own."),
    Table("at", "at = { … }", "Times by field; all fields given must match."),
    Table("lock", "lock = { … }", "A lock, with more than its name."),
    Table("once", "once = { … }", "How often at most, and what counts as a run."),
    Table("job-catchup", "catchup = { … }", "What of a job is made up, and how late."),
    Table("notify", "notify = { … }", "Who is told, and of what."),
    Table("job-env", "env = { … }", "Environment variables of one job.", ENV_NAME, (STRING,)),
)  # fmt: skip

_TELL = (
    Form("array", "an array of strings (a command)", items=(STRING,), at_least=1),
    Form("string", "an http(s) URL", pattern=HTTP),
)
_FIELD_NUMBERS = Form("integer", "a number")
_REASONS = one_of("guard", "missed", "busy", "failed")


def _table(name: str, says: str) -> Form:
    return Form("table", says, table=name)


def _list(form: Form) -> tuple[Form, ...]:
    return (form, array_of(form, "an array of them"))


def _field_list(says: str) -> tuple[Form, ...]:
    numbers, names = _FIELD_NUMBERS, Form("string", says, pattern=r"\S")
    return (names, numbers, Form("array", "an array of them", items=(names, numbers), at_least=1))


_AT = (
    Form("string", 'a string such as "mon-fri 09:30"', pattern=r"\S"),
    _table("at", 'a table such as { time = "09:30", day = 1 }'),
)

FIELDS = (
    Field("manifest", "version", (Form("integer", "1", minimum=1, maximum=1),), "Version of the manifest's language.", "1", required=True, also=("schema", "schema_version")),
    Field("manifest", "project", (_table("project", "a table"),), "Who and where.", '{ name = "one-ceo", prefix = "com.example", root = "/Users/kim/one-ceo", home = "/Users/kim" }', required=True, also=("settings", "config", "general")),
    Field("manifest", "env", (_table("env", "a table"),), "Environment variables of every job; a job's own win.", '{ LANG = "ja_JP.UTF-8" }', f'{{ LANG = "{DEFAULT_LANG}" }}', also=("environment", "envs", "vars")),
    Field("manifest", "defaults", (_table("defaults", "a table"),), "Keys of a job that hold for every job without its own.", '{ timeout = "45m" }', also=("default", "job_defaults")),
    Field("manifest", "guards", (_table("guards", "a table"),), "The breakers, by name.", '{ claude = { tool = "claude" } }', also=("guard", "breakers", "breaker")),
    Field("manifest", "catchup", (_table("catchup", "a table"),), "How skipped slots are made up.", '{ every = "15m" }', also=("catch_up", "catch-up")),
    Field("manifest", "lint", (_table("lint", "a table"),), "Which findings count.", '{ fail_on = "error" }', also=("linter", "checks")),
    Field("manifest", "jobs", (_table("jobs", "a table"),), "The jobs, by name.", '{ hello = { run = ["/bin/echo", "hi"], at = "09:30" } }', also=("job", "tasks", "task")),

    Field("project", "name", (NAME_TEXT,), "Name of the project; part of the default folders.", '"one-ceo"', required=True, also=("title", "project")),
    Field("project", "prefix", (Form("string", "a reverse domain name", pattern=PREFIX),), "Begin of every label: a job's label is PREFIX.NAME.", '"com.example"', required=True, also=("label_prefix", "label", "namespace", "domain_prefix", "bundle")),
    Field("project", "root", (Form("string", "an absolute path", pattern=ABSOLUTE),), "Folder that relative paths start from, on the Mac that runs the jobs.", '"/Users/kim/work/one-ceo"', required=True, also=("dir", "directory", "base", "workdir")),
    Field("project", "home", (Form("string", "an absolute path", pattern=ABSOLUTE),), "What ~ means, and the jobs' HOME.", '"/Users/kim"', required=True, also=("home_dir",)),
    Field("project", "user", (TEXT,), "Account that runs the jobs: their USER and LOGNAME.", '"kim"', "last part of home", also=("username", "user_name", "account", "owner")),
    Field("project", "path", (array_of(PATH, "an array of folders"),), "The jobs' PATH.", '["/opt/homebrew/bin", "/usr/bin", "/bin"]', "[" + ", ".join(f'"{folder}"' for folder in DEFAULT_PATH) + "]", also=("PATH", "paths")),
    Field("project", "logs", (PATH,), "Folder of the logs.", '"~/Library/Logs/one-ceo"', '"~/Library/Logs/NAME"', also=("log", "log_dir", "logdir")),
    Field("project", "state", (PATH,), "Folder of locks, claims, breakers and records.", '"~/Library/Application Support/one-ceo"', '"~/Library/Application Support/NAME"', also=("state_dir", "data")),
    Field("project", "domain", (one_of("gui", "user", "system"),), "launchd domain: of the login session, of the user without one, or of the machine.", '"gui"', '"gui"', also=("session",)),
    Field("project", "output", (PATH,), "Folder of the generated files, under root.", '"generated"', '"generated"', also=("out", "out_dir", "build", "dist")),

    Field("guard", "tool", (one_of(*TOOLS),), "Built-in detector that reads the job's output.", '"claude"', "the guard's own name, when it is one of them and there are no patterns", also=("cli", "provider", "detector")),
    Field("guard", "patterns", (array_of(TEXT, "an array of regular expressions"),), "Regular expressions of your own that tell a limit in the job's output.", "['quota exceeded']", also=("pattern", "regex", "match")),
    Field("guard", "cooldown", (DURATION_TEXT,), "How long the breaker stays open when the tool names no reset time.", '"30m"', '"15m"', also=("pause", "wait", "backoff")),
    Field("guard", "probe", (one_of("canary"), ARGV), "What finds out whether the limit is over: the first waiting job, or a command.", '["claude", "-p", "ok"]', '"canary"', also=("check", "test")),

    Field("catchup", "every", (DURATION_TEXT, one_of("off"), FALSE), 'How often the catch-up job looks; false or "off": no job of its own.', '"15m"', '"15m"', also=("interval", "schedule")),
    Field("catchup", "window", (one_of("today"), DURATION_TEXT), "How late a skipped slot may still be made up.", '"6h"', '"today"', also=("for", "max_age", "within")),
    Field("catchup", "timeout", (DURATION_TEXT,), "How long one made-up run may take.", '"45m"', '"45m"', also=("limit",)),
    Field("catchup", "pause", (DURATION_TEXT,), "Pause between two made-up runs.", '"10s"', '"10s"', also=("delay", "sleep", "gap")),

    Field("lint", "select", (array_of(TEXT, "an array of rule codes", 0),), "Only these rules, by code or begin of a code.", '["P1"]', "all", also=("only", "enable")),
    Field("lint", "ignore", (array_of(TEXT, "an array of rule codes", 0),), "Not these rules, by code or begin of a code.", '["S104"]', "[]", also=("disable", "exclude", "skip")),
    Field("lint", "fail_on", (one_of("info", "warning", "error"),), "Least severity that makes `jobs lint` fail.", '"error"', '"warning"', also=("severity", "level", "fail-on")),

    Field("job", "about", (STRING,), "What the job is for, in a sentence.", '"Post one article a day"', also=("description", "desc", "comment", "help", "title", "summary")),
    Field("job", "run", (ARGV, Form("string", "a line for /bin/sh", pattern=r"\S")), "Command: an array is run as it is, a string by /bin/sh -c. A relative program path is under root.", '["scripts/post.sh", "--random"]', required=True, also=("command", "cmd", "script", "exec", "program", "argv", "args", "ProgramArguments", "Program")),
    Field("job", "cwd", (PATH,), "Folder the job starts in.", '"scripts"', "root", also=("dir", "directory", "workdir", "working_directory", "WorkingDirectory")),
    Field("job", "env", (_table("job-env", "a table"),), "Environment variables of this job, over those of [env].", '{ DEBUG = "1" }', also=("environment", "vars", "EnvironmentVariables")),
    Field("job", "env_file", (PATH,), "File of NAME=value lines, read just before the job: the place for secrets.", '"~/.config/one-ceo/env"', also=("envfile", "dotenv", "secrets")),
    Field("job", "umask", (Form("string", 'an octal number in quotes such as "022"', pattern=UMASK),), "Permission bits that new files do not get, in octal.", '"077"', also=("Umask", "mask")),
    Field("job", "at", (*_AT, Form("array", "an array of them", items=_AT, at_least=1)), 'When: "[WEEKDAYS] HH:MM", a table of fields, or an array of both.', '["08:00", "mon-fri 18:30"]', also=("time", "times", "when", "schedule", "calendar", "StartCalendarInterval", "hour", "minute", "weekday", "day")),
    Field("job", "cron", (Form("string", "five fields of cron", pattern=r"\S"),), "When, as cron writes it.", '"*/15 9-17 * * 1-5"', also=("crontab",)),
    Field("job", "every", (DURATION_TEXT,), "Interval, counted from load; launchd does not make up what it sleeps through.", '"30m"', also=("interval", "StartInterval", "period", "each")),
    Field("job", "watch", (PATH, array_of(PATH, "an array of paths")), "Paths whose change starts the job.", '["~/Dropbox/in"]', also=("watch_paths", "WatchPaths", "paths", "on_change")),
    Field("job", "at_load", (BOOLEAN,), "Run at load too: at install, at login, at boot.", "true", "false", also=("run_at_load", "RunAtLoad", "at_login", "at_boot", "on_load")),
    Field("job", "keep_alive", (BOOLEAN, Form("table", "a table of launchd's conditions", table="")), "Start again whenever it ends, or under launchd's conditions. Not for a job on a schedule.", "true", "false", also=("KeepAlive", "restart", "daemon", "keepalive")),
    Field("job", "timezone", (TEXT,), "IANA name of the zone that `at` and `cron` are meant in.", '"Asia/Tokyo"', "the Mac's own", also=("tz", "zone", "time_zone", "TZ")),
    Field("job", "deadline", (DURATION_TEXT,), "A slot later than this is dropped, with a record, and not run late.", '"2h"', also=("expires", "max_late", "late", "expire")),
    Field("job", "guard", (LOCK_NAME_TEXT, array_of(LOCK_NAME_TEXT, "an array of names"), FALSE), "Breakers that the job asks before it starts.", '"claude"', also=("guards", "breaker", "breakers")),
    Field("job", "lock", (BOOLEAN, LOCK_NAME_TEXT, _table("lock", "a table")), "One run at a time; jobs that share a name exclude each other.", '{ name = "publish", wait = "10m" }', "true", also=("mutex", "exclusive", "locks")),
    Field("job", "once", (one_of("slot", "hour", "day", "week", "month"), _table("once", "a table")), "At most one run per period.", '"day"', also=("once_per", "per", "limit")),
    Field("job", "timeout", (DURATION_TEXT,), "Then TERM to all processes of the job.", '"45m"', also=("max_time", "time_limit", "TimeOut", "maxtime")),
    Field("job", "kill_after", (DURATION_TEXT,), "KILL this long after TERM.", '"20s"', '"20s"', also=("grace", "ExitTimeOut", "kill", "killafter")),
    Field("job", "catchup", (BOOLEAN, _table("job-catchup", "a table")), "Whether skipped slots are made up.", '{ for = ["guard", "missed"] }', "true for a job with a guard and with times", also=("catch_up", "catch-up", "retry")),
    Field("job", "log", (PATH,), "File for the job's output.", '"~/Library/Logs/post.log"', "LOGS/NAME.log", also=("logfile", "log_file", "output", "stdout", "stderr", "StandardOutPath", "StandardErrorPath")),
    Field("job", "log_max", (SIZE_TEXT, Form("integer", "a number of bytes", minimum=1)), "Size at which the log is rotated.", '"10MB"', '"10MB"', also=("log_size", "max_log", "maxlog")),
    Field("job", "log_keep", (Form("integer", "a whole number", minimum=0, maximum=1000),), "How many rotated logs are kept.", "5", "5", also=("log_count", "keep", "log_files")),
    Field("job", "notify", (_table("notify", "a table"),), "Who is told: a command or a URL per event.", '{ ping = "https://hc-ping.com/UUID" }', also=("notification", "alert", "on_failure", "on_success", "ping")),
    Field("job", "enabled", (BOOLEAN,), "false: compiled, not loaded.", "false", "true", also=("enable", "disabled", "Disabled", "active")),
    Field("job", "launchd", (Form("table", "a table of launchd.plist keys", table=""),), "Any other key of launchd.plist(5), spelled as there.", '{ Nice = 10, ProcessType = "Background" }', also=("plist", "raw", "extra")),

    Field("at", "time", (Form("string", 'a time such as "09:30"', pattern=r"\S"), array_of(Form("string", 'a time such as "09:30"', pattern=r"\S"), "an array of them")), "Time of day, HH:MM.", '"07:00"', required=True, also=("hour", "minute", "Hour", "Minute", "at", "hours", "minutes", "clock")),
    Field("at", "weekday", _field_list('weekdays such as "mon-fri"'), 'Weekdays: names or 0 to 7 (0 and 7 are Sunday), ranges, lists, "mon#1".', '"mon-fri"', "any", also=("Weekday", "weekdays", "dow", "days_of_week", "day_of_week", "wday")),
    Field("at", "day", _field_list('days such as "1-7" or "last"'), 'Days of the month: numbers, ranges, "last".', '"last"', "any", also=("Day", "days", "dom", "date", "day_of_month", "monthday")),
    Field("at", "month", _field_list('months such as "jan-mar"'), "Months: names or 1 to 12, ranges, lists.", '"jan,jul"', "any", also=("Month", "months")),

    Field("lock", "name", (LOCK_NAME_TEXT,), "Name of the lock.", '"publish"', "the job's name", also=("lock", "key", "id")),
    Field("lock", "wait", (DURATION_TEXT,), "Wait this long for it, and not skip at once.", '"10m"', also=("timeout", "wait_for")),
    Field("lock", "method", (one_of("mkdir", "flock"),), "How it is held.", '"flock"', '"mkdir"', also=("kind", "type", "how")),

    Field("once", "per", (one_of("slot", "hour", "day", "week", "month"),), "The period.", '"day"', required=True, also=("every", "period", "in", "each")),
    Field("once", "mark", (one_of("start", "success"),), "What counts: a start, or a success (a failed run may be tried again).", '"success"', '"start"', also=("on", "count", "when", "after")),

    Field("job-catchup", "for", _list(_REASONS), "Which skips are made up.", '["guard", "missed"]', '["guard"]', also=("reasons", "reason", "when", "on")),
    Field("job-catchup", "window", (one_of("today"), DURATION_TEXT), "How late a slot of this job may be made up.", '"6h"', "that of [catchup]", also=("max_age", "within")),

    Field("notify", "ping", (Form("string", "an http(s) URL", pattern=HTTP),), "A URL as healthchecks.io has them: /start and /fail are put behind it; the keys below win.", '"https://hc-ping.com/UUID"', also=("url", "healthcheck", "healthchecks")),
    Field("notify", "start", _TELL, "At each start.", '"https://hc-ping.com/UUID/start"', also=("on_start", "begin", "started")),
    Field("notify", "success", _TELL, "At each success.", '"https://hc-ping.com/UUID"', also=("on_success", "ok", "done")),
    Field("notify", "failure", _TELL, "At each failure.", '["bin/tell", "failed"]', also=("on_failure", "fail", "error", "failed")),
    Field("notify", "recovery", _TELL, "At the first success after a failure.", '["bin/tell", "well again"]', also=("on_recovery", "recover", "recovered", "resolved")),
)  # fmt: skip


def fields_of(table: str) -> dict[str, Field]:
    """The fields of a table by name; [defaults] has those of a job."""
    wanted = "job" if table == "defaults" else table
    return {field.name: field for field in FIELDS if field.table == wanted}
