"""The schema's judgement of a manifest's structure, retold in TOML's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jobs.decode.retell import Retelling
from jobs.decode.verdict import accepts
from jobs.read.nodes import Array, Node, Table
from jobs.schema import manifest_schema
from jobs.text import SourceFile, Span

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One error of structure. A `soft` one is only about a string's text: whoever reads the text says it better."""

    code: str
    span: Span
    message: str
    fix: str
    soft: bool = False
    meant: str | None = None  # the key that an unknown one was meant to be
    table: Path = ()  # and the table of it


def structural_mistakes(root: Table, source: SourceFile) -> list[Mistake]:
    """What the schema has against a document; empty for a good one."""
    judged = manifest_schema()
    data = json_like(root)
    if accepts(judged, data, judged["$defs"]):
        return []
    from jsonschema import Draft202012Validator

    telling = _Telling(root, source)
    for error in Draft202012Validator(judged).iter_errors(data):
        telling.tell(error)
    return telling.result()


def json_like(node: Node) -> Any:
    """The node as JSON's types; what JSON has not (dates), and floats, which no key takes, stay nodes of no type."""
    if isinstance(node, Table):
        return {name: json_like(entry.node) for name, entry in node.entries.items()}
    if isinstance(node, Array):
        return [json_like(item) for item in node.items]
    return node.value if node.kind in {"string", "integer", "boolean"} else node


class _Telling:
    """Collects the mistakes of one document."""

    def __init__(self, root: Table, source: SourceFile) -> None:
        self._words = Retelling(root, source)
        self._mistakes: list[Mistake] = []
        self._missing: dict[tuple[Path, str], Mistake] = {}
        self._meant: set[tuple[Path, str]] = set()  # keys that a misspelled one was meant to be

    def result(self) -> list[Mistake]:
        """The mistakes; a missing key is not told again when a misspelled one was meant to be it."""
        missing = [mistake for key, mistake in self._missing.items() if key not in self._meant]
        return self._mistakes + missing

    def tell(self, error: ValidationError) -> None:
        """Turn one error of jsonschema into mistakes."""
        path: Path = tuple(error.absolute_path)
        keyword = error.validator
        instance: Any = error.instance
        rule: Any = error.validator_value
        holder: Any = error.schema
        if keyword == "anyOf":
            self._any_of(error, path)
        elif keyword == "additionalProperties":
            known: Mapping[str, Any] = holder["properties"]
            for name in instance:
                if name not in known:
                    self._unknown(path, name)
        elif keyword == "required":
            for name in rule:
                if name not in instance:
                    span, message, fix = self._words.missing(path, name)
                    self._missing[path, name] = Mistake("M005", span, message, fix)
        elif "propertyNames" in error.schema_path:
            span, message, fix = self._words.bad_name(path, instance)
            self._mistakes.append(Mistake("M004", span, message, fix, soft=True))
        elif keyword == "type":
            self._add("M003", self._words.wrong_type(path))
        elif not _of_type(instance, holder):
            return  # its type is told; that it is none of the words, too, is no news
        else:
            self._add(
                "M004",
                self._words.bad_value(path),
                soft=isinstance(instance, str) and keyword == "pattern",
            )

    def _add(self, code: str, told: tuple[Span, str, str], *, soft: bool = False) -> None:
        self._mistakes.append(Mistake(code, *told, soft=soft))

    def _unknown(self, path: Path, name: str) -> None:
        span, message, fix, meant = self._words.unknown(path, name)
        self._mistakes.append(Mistake("M002", span, message, fix, meant=meant, table=path))
        if meant is not None:
            self._meant.add((path, meant))

    def _any_of(self, error: ValidationError, path: Path) -> None:
        """Tell about the one form that the value was meant to have, or about all of them."""
        branches = list(_branches(error.context or ()))
        meant = [branch for branch in branches if not any(_wrong_type(one, path) for one in branch)]
        if not meant:
            self._add("M003", self._words.wrong_type(path))
        elif len(meant) > 1:
            soft = isinstance(error.instance, str)
            self._add("M004", self._words.bad_value(path), soft=soft)
        else:
            for one in meant[0]:
                self.tell(one)


def _branches(errors: Sequence[ValidationError]) -> Iterator[list[ValidationError]]:
    """The errors of an anyOf, by branch."""
    by_branch: dict[str | int, list[ValidationError]] = {}
    for one in errors:
        by_branch.setdefault(one.relative_schema_path[0], []).append(one)
    yield from by_branch.values()


def _of_type(instance: Any, rule: Mapping[str, Any]) -> bool:
    """Whether a value has the type that its rule names, if it names one: `enum` is checked against any value."""
    from jsonschema import Draft202012Validator

    return "type" not in rule or Draft202012Validator.TYPE_CHECKER.is_type(instance, rule["type"])


def _wrong_type(error: ValidationError, path: Path) -> bool:
    return error.validator == "type" and tuple(error.absolute_path) == path
