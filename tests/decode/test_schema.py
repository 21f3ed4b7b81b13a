"""The JSON Schema, and the quick verdict that stands in for jsonschema on good manifests."""

from __future__ import annotations

import copy
import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from jobs.decode.structure import json_like, structural_mistakes
from jobs.decode.verdict import ANNOTATIONS, KEYWORDS, accepts
from jobs.model.fields import FIELDS, TABLES
from jobs.read.toml import read_toml
from jobs.schema import manifest_schema, toml_value

HERE = Path(__file__).parent
GOOD = sorted((HERE / "good").glob("*.toml"))
BROKEN = sorted((HERE / "broken").glob("*.toml"))


def both_verdicts(data: object) -> tuple[bool, bool]:
    schema = manifest_schema()
    return accepts(schema, data, schema["$defs"]), Draft202012Validator(schema).is_valid(data)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(manifest_schema())


def subschemas(schema: Any) -> list[dict[str, Any]]:
    """The schema and all schemas inside it."""
    found = [schema]
    for inner in (*schema.get("$defs", {}).values(), *schema.get("properties", {}).values()):
        found += subschemas(inner)
    for name in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(name), dict):
            found += subschemas(schema[name])
    for inner in schema.get("anyOf", ()):
        found += subschemas(inner)
    return found


def test_every_key_has_a_title_a_description_an_example_and_closed_tables() -> None:
    schema = manifest_schema()
    for table in (schema, *schema["$defs"].values()):
        assert table["title"]
        assert table["description"]
        assert "additionalProperties" in table
        for name, prop in table.get("properties", {}).items():
            assert prop["title"] == name
            assert prop["description"].endswith(".")
            assert prop["examples"][0] is not None
    references = {inner["$ref"] for inner in subschemas(schema) if "$ref" in inner}
    assert references <= {f"#/$defs/{name}" for name in schema["$defs"]}


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field.table}.{field.name}")
def test_examples_and_defaults_are_valid(field: Any) -> None:
    schema = manifest_schema()
    table = schema if field.table == "manifest" else schema["$defs"][field.table]
    prop = {**table["properties"][field.name], "$defs": schema["$defs"]}
    for text in (field.example, field.default):
        value = toml_value(text)
        if value is not None:
            Draft202012Validator(prop).validate(value)
            assert accepts(prop, value, schema["$defs"])


def test_a_keyword_that_is_not_judged_is_an_error_and_none_is_in_the_schema() -> None:
    used = {keyword for inner in subschemas(manifest_schema()) for keyword in inner}
    assert used - ANNOTATIONS <= set(KEYWORDS)
    with pytest.raises(KeyError):
        accepts({"oneOf": []}, 1, {})


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_manifests_are_valid(path: Path) -> None:
    data = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    assert both_verdicts(data) == (True, True)
    json.dumps(data)


STRUCTURAL = [
    ("unknown key", lambda data: data["jobs"]["full"].update(tiemout="5m")),
    ("unknown table", lambda data: data.update(job={})),
    ("wrong type", lambda data: data["jobs"]["full"].update(timeout=45)),
    ("boolean for an integer", lambda data: data["jobs"]["full"].update(log_keep=True)),
    ("not allowed", lambda data: data["project"].update(domain="aqua")),
    ("true for false", lambda data: data["jobs"]["full"].update(guard=True)),
    ("empty array", lambda data: data["jobs"]["full"].update(run=[])),
    ("number in an array", lambda data: data["jobs"]["full"].update(run=["x", 1])),
    ("missing key", lambda data: data["project"].pop("root")),
    ("missing table", lambda data: data.pop("project")),
    ("missing key of an inline table", lambda data: data["jobs"]["full"]["once"].pop("per")),
    ("number of a variable", lambda data: data["env"].update(A=1)),
    ("name of a variable", lambda data: data["env"].update({"a b": "x"})),
    ("name of a job", lambda data: data["jobs"].update({"a b": data["jobs"]["full"]})),
    ("version", lambda data: data.update(version=2)),
    ("unit", lambda data: data["jobs"]["full"].update(every="30")),
    ("key of a table of times", lambda data: data["jobs"]["full"].update(at={"hour": 6})),
]


@pytest.mark.parametrize("change", [row[1] for row in STRUCTURAL], ids=[row[0] for row in STRUCTURAL])
def test_structural_mistakes_are_invalid(change: Any) -> None:
    data = tomllib.loads((HERE / "good" / "every-key.toml").read_text(encoding="utf-8"))
    change(data)
    assert both_verdicts(data) == (False, False)


def mutated(data: Any, chance: random.Random) -> Any:
    """A copy with one place changed at random."""
    data = copy.deepcopy(data)
    holder, key = data, None
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return data
        key = chance.choice(keys)
        inner = holder[key]
        if not isinstance(inner, dict | list) or chance.random() < 0.2:
            break
        holder = inner
    odd = [
        "",
        "x",
        "45m",
        "today",
        "off",
        "a b",
        0,
        1,
        -1,
        True,
        False,
        [],
        ["x"],
        [1],
        {},
        {"name": "x"},
        1.5,
    ]
    action = chance.randrange(3)
    if action == 0:
        del holder[key]
    elif action == 1 and isinstance(holder, dict):
        holder[chance.choice(["odd", "every", "per", "A"])] = chance.choice(odd)
    else:
        holder[key] = chance.choice(odd)
    return data


def test_both_verdicts_agree_on_changed_manifests() -> None:
    base = tomllib.loads((HERE / "good" / "every-key.toml").read_text(encoding="utf-8"))
    validator = Draft202012Validator(manifest_schema())
    schema = manifest_schema()
    valid = 0
    for seed in range(1500):
        data = mutated(base, random.Random(seed))
        expected = validator.is_valid(data)
        assert accepts(schema, data, schema["$defs"]) == expected, seed
        valid += expected
    assert 100 < valid < 1400


@pytest.mark.parametrize("path", [*GOOD, *BROKEN], ids=lambda path: path.stem)
def test_there_are_mistakes_of_structure_exactly_when_the_schema_says_no(path: Path) -> None:
    document = read_toml(path.read_bytes(), path.name)
    if document.root is None:
        return
    quick, verdict = both_verdicts(json_like(document.root))
    assert quick == verdict
    assert bool(structural_mistakes(document.root, document.source)) == (not verdict)


def test_tables_and_fields_name_each_other() -> None:
    names = {table.name for table in TABLES}
    assert {field.table for field in FIELDS} <= names
    assert all(table.keys or any(field.table == table.name for field in FIELDS) for table in TABLES)
