"""Findings as text for people, and as JSON, SARIF, GitHub annotations and JUnit for programs."""

from __future__ import annotations

from typing import Literal

Format = Literal["text", "json", "sarif", "github", "junit"]
FORMATS: tuple[Format, ...] = ("text", "json", "sarif", "github", "junit")
