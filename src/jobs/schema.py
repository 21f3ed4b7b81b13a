"""The JSON Schema of the manifest (draft 2020-12), made from the table of keys: for the loader and for editors."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any

from jobs.model.fields import TABLES, Field, Table, fields_of
from jobs.model.forms import Form

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {"table": "object"}
_TOML = re.compile(r"""^(?:["'\[{]|-?[0-9]|true$|false$)""")


@cache
def manifest_schema() -> dict[str, Any]:
    """The schema; it must not be changed. `properties` of a table stand in `$defs`, under the table's name."""
    tables = {table.name: _table(table) for table in TABLES}
    job = dict(tables["job"])
    job.pop("required")
    tables["defaults"] = {
        **job,
        "title": "[defaults]",
        "description": "Keys that hold for every job without its own.",
    }
    tables["job"].pop("required")  # `run` may come from [defaults]
    root = tables.pop("manifest")
    return {"$schema": DIALECT, **root, "title": "jobs.toml", "$defs": tables}


def _table(table: Table) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "title": table.header, "description": table.about}
    if table.keys:
        made["propertyNames"] = {"pattern": table.keys}
        made["additionalProperties"] = _forms(table.items)
        return made
    fields = fields_of(table.name)
    made["properties"] = {name: _field(field) for name, field in fields.items()}
    made["additionalProperties"] = False
    required = [name for name, field in fields.items() if field.required]
    if required:
        made["required"] = required
    return made


def _field(field: Field) -> dict[str, Any]:
    made = {"title": field.name, "description": field.about}
    default = toml_value(field.default)
    if default is not None:
        made["default"] = default
    return {**made, "examples": [toml_value(field.example)], **_forms(field.forms)}


def toml_value(text: str) -> Any:
    """The value that a TOML text of the table stands for, or None for words and for nothing."""
    return tomllib.loads(f"x = {text}")["x"] if _TOML.match(text) else None


def _forms(forms: tuple[Form, ...]) -> dict[str, Any]:
    shapes = [_shape(form) for form in forms]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _shape(form: Form) -> dict[str, Any]:
    """The schema of one form."""
    if form.table:
        return {"$ref": f"#/$defs/{form.table}"}
    made: dict[str, Any] = {"type": _TYPES.get(form.type, form.type)}
    if form.values:
        made["enum"] = list(form.values)
    if form.only is not None:
        made["const"] = form.only
    if form.pattern:
        made["pattern"] = form.pattern
    bounds = {"minimum": form.minimum, "maximum": form.maximum}
    made.update({name: bound for name, bound in bounds.items() if bound is not None})
    if form.type == "array":
        made["items"] = _forms(form.items)
        if form.at_least:
            made["minItems"] = form.at_least
    return made
