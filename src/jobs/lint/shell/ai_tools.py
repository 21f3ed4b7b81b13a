"""Calls of AI command-line tools, behind wrappers and variables too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jobs.lint.shell.operations import inner_command
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Word
from jobs.read.shell.values import values_of

TOOLS = {
    "claude": "claude",
    "codex": "codex",
    "gemini": "gemini",
    "copilot": "copilot",
    "cursor-agent": "cursor",
    "kiro-cli": "kiro",
    "aider": "aider",
    "llm": "llm",
    "opencode": "opencode",
    "goose": "goose",
    "crush": "crush",
    "qwen": "qwen",
    "amp": "amp",
}
PACKAGES = {
    "@anthropic-ai/claude-code": "claude",
    "@openai/codex": "codex",
    "@google/gemini-cli": "gemini",
    "@github/copilot": "copilot",
    "aider-chat": "aider",
    "opencode-ai": "opencode",
}
RUNNERS = frozenset(
    [
        "timeout",
        "gtimeout",
        "xargs",
        "nice",
        "caffeinate",
        "script",
        "unbuffer",
        "stdbuf",
        "nohup",
        "env",
        "sudo",
        "arch",
        "setlock",
        "lockf",
        "flock",
        "shlock",
        "npx",
        "bunx",
        "pnpm",
        "pnpx",
        "yarn",
        "uvx",
        "uv",
        "pipx",
        "op",
        "doppler",
        "direnv",
        "dotenvx",
        "retry",
        "chronic",
        "taskpolicy",
        "time",
        "exec",
        "command",
        "parallel",
        "perl",
        "expect",
    ]
)
# Calls that ask nothing of the provider.
LOCAL = re.compile(
    r"--?(version|v|V|help|h)|config|mcp|doctor|update|upgrade|install|uninstall|auth|login|logout|plugin|plugins|completion|setup-token|keys|models|logs|templates|migrate-installer"
)
# Names that are other programs too: only these first arguments make them an AI tool's.
NEEDS = {
    "llm": re.compile(r"-m|--model|-s|--system|prompt|chat|[^-].*"),
    "goose": re.compile(r"run|session"),
    "amp": re.compile(r"-x|--execute"),
    "crush": re.compile(r"run"),
    "copilot": re.compile(r"-p|--prompt"),
}


@dataclass(frozen=True, slots=True)
class AiCall:
    """A call: the tool's name as guards know it, the word in which it is named, and the command."""

    tool: str
    command: Command
    word: Word


def ai_calls(script: Script) -> tuple[AiCall, ...]:
    """The calls in a script, in the order of the text."""
    return script.once("ai-calls", lambda: tuple(_find(script)))


def _find(script: Script) -> Iterator[AiCall]:
    for command in script.commands:
        if not command.words:
            continue
        call = _call(script, command)
        if call is not None and call.word.shape not in script.functions:
            yield call


def _call(script: Script, command: Command) -> AiCall | None:
    name, _arguments = inner_command(command)
    words = command.words
    limit = len(words) if name in RUNNERS or words[0].shape.rsplit("/", 1)[-1] in RUNNERS else 1
    for index, word in enumerate(words[:limit]):
        tool = _tool(script, word, command)
        if tool is None:
            continue
        following = [each.shape for each in words[index + 1 :]]
        if following and LOCAL.fullmatch(following[0]):
            return None
        if tool in NEEDS and not (following and NEEDS[tool].fullmatch(following[0])):
            return None
        if name in ("command", "type", "which"):
            return None
        return AiCall(tool, command, word)
    if name == "gh" and len(words) > 1 and words[1].literal in ("copilot", "models"):
        return AiCall("copilot", command, words[0])
    if name == "ollama":
        return None  # runs on this machine: there is no quota
    return None


def _tool(script: Script, word: Word, command: Command) -> str | None:
    text = word.literal
    if text is None:
        if any(part.kind == "literal" and part.quoted is False and " " in part.text for part in word.parts):
            return None
        if not any(part.kind == "variable" for part in word.parts):
            return None
        for value, _written in values_of(script).possible(word, command):
            found = re.search(
                r"(?:^|/|\s)(claude|codex|gemini|cursor-agent|aider|opencode)(?:\s|\)|$)", value
            )
            if found is not None:
                return TOOLS[found.group(1)]
        return None
    base = text.rsplit("/", 1)[-1] if not text.startswith("@") else text
    package = re.sub(r"(?<=.)@[\w.^~-]+$", "", base)
    return TOOLS.get(base) or PACKAGES.get(package)
