"""THE table of manifest keys."""

from __future__ import annotations

import pytest

from jobs.decode.launchd import OWNED
from jobs.model.fields import FIELDS, TABLES, Field, fields_of
from jobs.model.launchd_keys import KEYS
from jobs.reference import manifest_keys

# The interface, as the design of the manifest names it. A key is added here and there, or nowhere.
AGREED = {
    "manifest": "version project env defaults guards catchup lint jobs",
    "project": "name prefix root home user path logs state domain output",
    "guard": "tool patterns cooldown probe",
    "catchup": "every window timeout pause",
    "lint": "select ignore fail_on",
    "job": "about run cwd env env_file umask at cron every watch at_load keep_alive timezone deadline guard lock once "
    "timeout kill_after catchup log log_max log_keep notify enabled launchd",
    "at": "time weekday day month",
    "lock": "name wait method",
    "once": "per mark",
    "job-catchup": "for window",
    "notify": "ping start success failure recovery",
}


def test_the_keys_are_those_agreed_on() -> None:
    assert {table: set(fields_of(table)) for table in AGREED} == {
        table: set(names.split()) for table, names in AGREED.items()
    }
    assert {field.table for field in FIELDS} == set(AGREED)


def test_defaults_take_the_keys_of_a_job() -> None:
    assert fields_of("defaults") == fields_of("job")


@pytest.mark.parametrize("table", sorted(AGREED))
def test_no_name_of_elsewhere_is_a_key_or_stands_twice_in_a_table(table: str) -> None:
    fields = fields_of(table)
    also = [name for field in fields.values() for name in field.also]
    assert sorted(also) == sorted(set(also))
    assert not set(also) & set(fields)


def test_the_keys_that_the_compiler_writes_are_keys_of_launchd() -> None:
    assert set(OWNED) <= {key.name for key in KEYS}


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field.table}.{field.name}")
def test_the_reference_has_a_row_for_every_key(field: Field) -> None:
    row = next(line for line in manifest_keys().splitlines() if line.startswith(f"| `{field.name}` | "))
    assert row.replace("\\|", "").count("|") == 5
    assert field.about.replace("|", "\\|") in manifest_keys()


def test_the_reference_has_a_section_for_every_table() -> None:
    assert manifest_keys().count("\n### ") == len(TABLES) - 1
