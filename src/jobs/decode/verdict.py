"""The schema's verdict without jsonschema, whose import alone takes longer than the rest of a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]

# Notes for people: they judge nothing.
ANNOTATIONS = frozenset({"$schema", "$defs", "title", "description", "default", "examples"})
_PYTHON = {"object": dict, "array": list, "string": str, "boolean": bool}


def accepts(schema: Schema, value: object, definitions: Mapping[str, Schema]) -> bool:
    """Whether a value is valid under a schema that uses only the keywords below; KeyError for any other.

    Tests hold it against jsonschema. Where it says no, jsonschema is asked what is wrong.
    """
    return all(
        KEYWORDS[keyword](schema, value, definitions) for keyword in schema if keyword not in ANNOTATIONS
    )


def _type(schema: Schema, value: object, _definitions: Mapping[str, Schema]) -> bool:
    wanted = schema["type"]
    if wanted == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, _PYTHON[wanted])


def _properties(schema: Schema, value: object, definitions: Mapping[str, Schema]) -> bool:
    known = schema["properties"]
    return not isinstance(value, dict) or all(
        accepts(known[name], inner, definitions) for name, inner in value.items() if name in known
    )


def _additional(schema: Schema, value: object, definitions: Mapping[str, Schema]) -> bool:
    if not isinstance(value, dict):
        return True
    rest = [inner for name, inner in value.items() if name not in schema.get("properties", {})]
    inner_schema = schema["additionalProperties"]
    if inner_schema is False:
        return not rest
    return all(accepts(inner_schema, inner, definitions) for inner in rest)


def _equal(one: object, other: object) -> bool:
    """Equality of JSON: true is not 1."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


KEYWORDS: dict[str, Callable[[Schema, object, Mapping[str, Schema]], bool]] = {
    "$ref": lambda schema, value, definitions: accepts(
        definitions[schema["$ref"].removeprefix("#/$defs/")], value, definitions
    ),
    "anyOf": lambda schema, value, definitions: any(
        accepts(one, value, definitions) for one in schema["anyOf"]
    ),
    "type": _type,
    "enum": lambda schema, value, _: any(_equal(value, one) for one in schema["enum"]),
    "const": lambda schema, value, _: _equal(value, schema["const"]),
    "pattern": lambda schema, value, _: (
        not isinstance(value, str) or re.search(schema["pattern"], value) is not None
    ),
    "minimum": lambda schema, value, _: (
        not isinstance(value, int | float) or isinstance(value, bool) or value >= schema["minimum"]
    ),
    "maximum": lambda schema, value, _: (
        not isinstance(value, int | float) or isinstance(value, bool) or value <= schema["maximum"]
    ),
    "items": lambda schema, value, definitions: (
        not isinstance(value, list) or all(accepts(schema["items"], one, definitions) for one in value)
    ),
    "minItems": lambda schema, value, _: not isinstance(value, list) or len(value) >= schema["minItems"],
    "properties": _properties,
    "additionalProperties": _additional,
    "required": lambda schema, value, _: (
        not isinstance(value, dict) or all(name in value for name in schema["required"])
    ),
    "propertyNames": lambda schema, value, definitions: (
        not isinstance(value, dict)
        or all(accepts(schema["propertyNames"], name, definitions) for name in value)
    ),
}
