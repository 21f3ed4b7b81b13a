"""What the schema says against a manifest, retold in TOML's words with the place of each mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from jobs.decode.node import Problems, nearest
from jobs.model.fields import SAME_AS, TABLES, fields_of
from jobs.read.toml import Path

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

OTHER_WORDS: Mapping[str, str] = {
    # What people write who come from other tools, and the key that they mean.
    "command": "run", "cmd": "run", "args": "run", "program": "run", "script": "run", "exec": "run",
    "schedule": "at` or `cron", "calendar": "at", "when": "at", "hour": "time", "minute": "time",
    "interval": "every", "start_interval": "every", "working_directory": "cwd", "workdir": "cwd", "dir": "cwd",
    "environment": "env", "environment_variables": "env", "envfile": "env_file", "dotenv": "env_file",
    "description": "about", "comment": "about", "run_at_load": "at_load", "watch_paths": "watch", "tz": "timezone",
    "zone": "timezone", "disabled": "enabled", "mutex": "lock", "stdout": "log", "stderr": "log", "log_file": "log",
    "on_failure": "notify", "quota": "guard", "breaker": "guard", "max_runtime": "timeout", "weekdays": "weekday",
    "days": "day", "months": "month", "times": "time", "hours": "time", "label": "prefix", "session": "launchd",
    "nice": "launchd", "umask_": "umask", "kind": "tool", "reset": "cooldown",
}  # fmt: skip


def judge_structure(problems: Problems) -> None:
    """Note every structural mistake. The verdict is the schema's; only the words are made here."""
    from jsonschema import Draft202012Validator

    from jobs.schema import manifest_schema

    validator = Draft202012Validator(manifest_schema())
    for error in validator.iter_errors(problems.file.data):
        _retell(problems, error)


def _retell(problems: Problems, error: ValidationError) -> None:
    path = tuple(error.absolute_path)
    match error.validator:
        case "anyOf":
            _retell_alternatives(problems, error, path)
        case "additionalProperties":
            _retell_unknown(problems, error, path)
        case "required":
            for key in list_of(error.validator_value):
                if key not in list_of(error.instance):
                    _missing(problems, path, str(key))
        case _:
            _wrong(problems, path, error.instance, error.validator == "type")


def _retell_alternatives(problems: Problems, error: ValidationError, path: Path) -> None:
    """The alternative that the value's type points at explains itself; without one, the type is wrong."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    for inners in branches.values():
        if all(_is_about_the_inside(inner) for inner in inners):
            for inner in inners:
                _retell(problems, inner)
            return
    typed = any(inner.validator not in {"type", "$ref"} for inners in branches.values() for inner in inners)
    _wrong(problems, path, error.instance, not typed)


def _is_about_the_inside(error: ValidationError) -> bool:
    """Whether an alternative took the value's type and found fault with its contents."""
    return bool(error.relative_path) or error.validator in {"additionalProperties", "required"}


def _retell_unknown(problems: Problems, error: ValidationError, path: Path) -> None:
    table = table_at(path)
    known = list(fields_of(table)) if table else []
    for key in list_of(error.instance):
        if table is None or key in known:
            continue
        other = OTHER_WORDS.get(str(key).lower().replace("-", "_"))
        near = nearest(str(key), known)
        if other is not None and other.split("`")[0] in known:
            fix = f"write `{other}`"
        elif near is not None:
            fix = f"write `{near}`"
        else:
            elsewhere = [
                name for name, fields in TABLES.items() if any(field.name == key for field in fields)
            ]
            fix = f"the keys here are: {', '.join(known)}"
            if elsewhere and table not in elsewhere:
                fix = f"it belongs into {_title(elsewhere[0])}; {fix}"
        problems.report((*path, key), "M002", f"unknown key `{key}` in {_title(table)}", fix, key=True)


def list_of(value: Any) -> list[Any]:
    """The entries of what the validator hands over untyped."""
    return list(value)


def _missing(problems: Problems, path: Path, key: str) -> None:
    table = table_at(path) or "manifest"
    field = fields_of(table)[key]
    where = f"[{'.'.join(map(str, path))}]" if path and table != "at" else _title(table)
    shown = _toml(field.example)
    if key == "project":
        problems.report(
            (*path, key), "M005", "the table [project] is missing", "add it: `jobsctl init` shows how"
        )
        return
    problems.report(
        (*path, key), "M005", f"{where} has no `{key}`", f"add {key} = {shown}  ({field.about.rstrip('.')})"
    )


def _wrong(problems: Problems, path: Path, value: Any, of_type: bool) -> None:
    name, words, example = _form_at(path)
    code = "M003" if of_type else "M004"
    shown = "" if isinstance(value, (dict, list)) and value else f" {_toml(value)}"
    article = "an empty " if isinstance(value, (dict, list, str)) and not value else "the " if shown else "a "
    kind = kind_of(value)
    what = f"`{name}` is {article}{kind}{shown if value not in ('', [], {}) else ''}, but must be {words}"
    if article == "the " and code == "M003":
        what = f"`{name}` is {_a(kind)}{shown}, but must be {words}"
    elif article == "the ":
        what = f"`{name}` is {_toml(value)}, but must be {words}"
    problems.report(path, code, what, _fix(name, value, words, example))


def _fix(name: str, value: Any, words: str, example: Any) -> str:
    if isinstance(value, str):
        options = (
            [word.strip('"') for word in words.removeprefix("one of ").split(", ")]
            if words.startswith("one of")
            else []
        )
        near = nearest(value, options)
        if near:
            return f'write {name} = "{near}"'
        if value in {"true", "false"} and "true or false" in words:
            return f"write {name} = {value}, without quotes"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and "duration" in words:
        return f'write {name} = "{value}s" for seconds, or another unit: "{value}m"'
    if isinstance(value, (int, float)) and "octal" in words:
        return (
            f'write it in quotes: {name} = "{value:03}"'
            if isinstance(value, int)
            else f'write {name} = "022"'
        )
    if isinstance(value, (datetime, date, time)):
        return f'put it into quotes: {name} = "{value.isoformat()[:5] if isinstance(value, time) else value.isoformat()}"'
    return f"write for example {name} = {_toml(example)}"


def table_at(path: Iterable[str | int]) -> str | None:
    """The name in TABLES of the table at a path; None where keys are the user's own."""
    table: str | None = "manifest"
    steps = (step for step in path if isinstance(step, str))
    for step in steps:
        if table == "manifest" and step in {"guards", "jobs"}:
            # The next step is a name of the user's own; without one, this is the table of tables.
            table = step.removesuffix("s") if next(steps, None) is not None else None
        elif table is not None:
            table = _SUBTABLES.get((SAME_AS.get(table, table), step))
    return table


_SUBTABLES: Mapping[tuple[str, str], str] = {
    ("manifest", "project"): "project",
    ("manifest", "defaults"): "defaults",
    ("manifest", "catchup"): "catchup",
    ("manifest", "lint"): "lint",
    ("job", "at"): "at",
    ("job", "lock"): "lock",
    ("job", "once"): "once",
    ("job", "catchup"): "job-catchup",
    ("job", "notify"): "notify",
}

_TITLES: Mapping[str, str] = {
    "manifest": "the manifest", "project": "[project]", "defaults": "[defaults]", "catchup": "[catchup]",
    "lint": "[lint]", "guard": "a guard", "job": "a job", "at": "`at`", "lock": "`lock`", "once": "`once`",
    "job-catchup": "`catchup` of a job", "notify": "`notify`",
}  # fmt: skip


def _title(table: str | None) -> str:
    return _TITLES.get(table or "", "this table")


def _form_at(path: Path) -> tuple[str, str, Any]:
    """Name, form in words, and example of the key at a path; for entries of arrays and tables, those of the key above."""
    for length in range(len(path), 0, -1):
        key = path[length - 1]
        table = table_at(path[: length - 1])
        if isinstance(key, str) and table is not None and key in fields_of(table):
            field = fields_of(table)[key]
            words = field.form.words
            if length < len(path) and key == "env":
                return ".".join(map(str, path[length - 1 :])), "a string", "text"
            if length < len(path) and words.startswith("a table of tables"):
                return ".".join(map(str, path)), "a table", next(iter(field.example.values()))
            return key, words, field.example
    return ".".join(map(str, path)) or "the manifest", "a table", {}


def kind_of(value: Any) -> str:
    """What TOML calls a value's type."""
    if isinstance(value, bool):
        return "boolean"
    for kinds, word in (
        ((str,), "string"),
        ((int,), "integer"),
        ((float,), "float"),
        ((list,), "array"),
        ((dict,), "table"),
    ):
        if isinstance(value, kinds):
            return word
    return "date or time"


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aei" else f"a {kind}"


def _toml(value: Any) -> str:
    """A value in TOML's notation, cut when it is long."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    elif isinstance(value, list):
        text = "[" + ", ".join(_toml(entry) for entry in value) + "]"
    elif isinstance(value, Mapping):
        text = (
            "{ " + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + " }"
            if value
            else "{}"
        )
    elif isinstance(value, (datetime, date, time)):
        text = value.isoformat()
    else:
        text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
