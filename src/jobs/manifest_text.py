"""The manifest as text to be written: the starter, and a new job in an existing file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jobs.compile.templates import templates_folder


def toml_string(text: str) -> str:
    """The text as a TOML string."""
    import tomlkit

    return tomlkit.item(text).as_string()


def starter_text(*, name: str, prefix: str, root: str, home: str) -> str:
    """A commented manifest for a new project."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(templates_folder()),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - TOML; every value goes through toml_string
    )
    environment.filters["toml"] = toml_string
    return environment.get_template("jobs.toml.j2").render(name=name, prefix=prefix, root=root, home=home)


def with_job(text: str, name: str, keys: Mapping[str, Any]) -> str:
    """The manifest's text with one more job at its end; everything before it stays as it is, byte for byte.

    The text must be a manifest that was read without errors, and have no job of that name.
    """
    import tomlkit

    newline = "\r\n" if "\r\n" in text else "\n"
    table = tomlkit.table()
    for key, value in keys.items():
        table.add(key, tomlkit.item(value))
    jobs = tomlkit.table(is_super_table=True)
    jobs.add(name, table)
    document = tomlkit.document()
    document.add("jobs", jobs)
    block = tomlkit.dumps(document).strip("\n").replace("\n", newline)
    gap = "" if not text or text.endswith("\n") else newline
    blank = "" if not text.strip() else newline
    return f"{text}{gap}{blank}{block}{newline}"
