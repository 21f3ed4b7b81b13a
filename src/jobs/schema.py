"""The JSON Schema of the manifest, made from the table of keys: for validation here, and for editors."""

from __future__ import annotations

from functools import cache
from typing import Any

from jobs.model.fields import SAME_AS, TABLES, Field, fields_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def manifest_schema() -> dict[str, Any]:
    """The schema as plain data. Every key carries its description, an example and its default."""
    top = _table("manifest")
    names = [*(name for name in TABLES if name != "manifest"), *SAME_AS]
    return {
        "$schema": DIALECT,
        "title": "jobs.toml",
        "description": "The scheduled jobs of a Mac, compiled into launchd plists and wrappers.",
        **top,
        "$defs": {name: _table(name) for name in names},
    }


def _table(name: str) -> dict[str, Any]:
    fields = fields_of(name)
    required = [field.name for field in fields.values() if field.required and name not in SAME_AS]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field.name: _property(field) for field in fields.values()},
        "additionalProperties": False,
    }
    return schema | ({"required": required} if required else {})


def _property(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {"description": field.about, "examples": [field.example]}
    if field.default is not None:
        about["default"] = field.default
    if "$ref" in field.form.schema:
        # Keywords beside $ref are fine in this dialect, but editors of older ones drop them.
        return {**about, "allOf": [dict(field.form.schema)]}
    return {**about, **field.form.schema}
