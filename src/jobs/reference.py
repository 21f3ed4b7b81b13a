"""The reference of the manifest's keys as Markdown, from the table of keys."""

from __future__ import annotations

from jobs.model.fields import TABLES, Field, fields_of


def manifest_keys() -> str:
    """A section per table: its header, what it is for, and a row for each key."""
    return "\n".join(_section(table.name, table.header or "Top of the file", table.about) for table in TABLES)


def _section(table: str, header: str, about: str) -> str:
    fields = fields_of(table)
    title = f"### `{header}`" if header.startswith("[") or "=" in header else f"### {header}"
    if not fields:
        return f"{title}\n\n{about}\n"
    rows = [
        "| key | value | default | meaning |",
        "|---|---|---|---|",
        *(_row(field) for field in fields.values()),
    ]
    return f"{title}\n\n{about}\n\n" + "\n".join(rows) + "\n"


def _row(field: Field) -> str:
    default = "required" if field.required else _cell(field.default)
    return f"| `{field.name}` | `{_escaped(field.example)}` | {default} | {_escaped(field.about)} |"


def _cell(default: str) -> str:
    """A default: TOML as code, words as words."""
    from jobs.schema import toml_value

    return f"`{_escaped(default)}`" if toml_value(default) is not None else _escaped(default)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
