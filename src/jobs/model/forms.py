"""The forms that a manifest key's value can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Type = Literal["string", "integer", "boolean", "array", "table"]

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
LOCK_NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]*$"
PREFIX = r"^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_][A-Za-z0-9_-]*)*$"
ENV_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
DURATION = r"^(?=[0-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$"
SIZE = r"^[0-9]+(B|[KMG]i?B)?$"
UMASK = r"^0?[0-7]{3}$"
ABSOLUTE = r"^/"
HTTP = r"^https?://[^/\s]"


@dataclass(frozen=True, slots=True)
class Form:
    r"""One form of a value. `says` is for people, with its article: "a duration such as \"45m\"".

    `values` are the only ones allowed; `pattern` bounds a string (ECMA 262 and Python alike). `items` are the forms of
    an array's entries, at least `at_least` of them. `table` names the fields of a table, `""` a table with any keys,
    whose values have the forms `items`. `only` bounds a boolean.
    """

    type: Type
    says: str
    values: tuple[str, ...] = ()
    pattern: str = ""
    minimum: int | None = None
    maximum: int | None = None
    only: bool | None = None
    items: tuple[Form, ...] = ()
    at_least: int = 0
    table: str | None = None


STRING = Form("string", "a string")
TEXT = Form("string", "a string", pattern=r"\S")
BOOLEAN = Form("boolean", "true or false")
FALSE = Form("boolean", "false", only=False)
DURATION_TEXT = Form("string", 'a duration such as "45m"', pattern=DURATION)
SIZE_TEXT = Form("string", 'a size such as "10MB"', pattern=SIZE)
PATH = Form("string", "a path", pattern=r"\S")
NAME_TEXT = Form("string", "a name", pattern=NAME)
LOCK_NAME_TEXT = Form("string", "a name", pattern=LOCK_NAME)
ARGV = Form("array", "an array of strings", items=(STRING,), at_least=1)


def array_of(form: Form, says: str, at_least: int = 1) -> Form:
    """The form of an array whose entries have one form."""
    return Form("array", says, items=(form,), at_least=at_least)


def one_of(*values: str) -> Form:
    """The form of a string that has only these values."""
    quoted = [f'"{value}"' for value in values]
    return Form(
        "string",
        quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}",
        values=values,
    )
