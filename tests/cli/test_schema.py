"""`jobs schema`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from jobs.cli.app import main


def test_it_prints_a_schema_that_accepts_a_good_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    good = Path(__file__).parents[1] / "decode" / "good" / "every-key.toml"
    validator = Draft202012Validator(schema)
    validator.validate(tomllib.loads(good.read_text(encoding="utf-8")))
    assert not validator.is_valid({"version": 1, "project": {}, "jobs": {}})
