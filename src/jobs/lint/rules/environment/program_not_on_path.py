"""E211: a program that the job's own PATH does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jobs.diagnostics import Fix, Severity
from jobs.lint.manifest_sample import manifest
from jobs.lint.on_path import missing_on
from jobs.lint.rule import Context, Disk, Finding, JobFacts, Rule
from jobs.lint.shell.operations import calls_of
from jobs.lint.shell.platform import is_provided
from jobs.model.job import Argv
from jobs.read.shell.script import Script

# Programs that no Mac has of its own and that people install under these names.
INSTALLED = (
    "node",
    "npm",
    "npx",
    "pnpm",
    "pnpx",
    "yarn",
    "bun",
    "bunx",
    "deno",
    "tsx",
    "claude",
    "codex",
    "gemini",
    "gh",
    "brew",
    "rg",
    "fd",
    "ffmpeg",
    "ffprobe",
    "uv",
    "uvx",
    "poetry",
    "pipx",
    "docker",
    "kubectl",
    "aws",
    "gcloud",
    "terraform",
    "wget",
    "rclone",
    "restic",
    "borg",
    "gtimeout",
    "gdate",
    "gsed",
    "ggrep",
    "gstat",
    "tmux",
    "pandoc",
    "magick",
    "yt-dlp",
    "mas",
    "op",
    "go",
    "cargo",
    "rustc",
    "mvn",
    "gradle",
    "psql",
    "mysql",
    "redis-cli",
    "ollama",
    "aider",
    "llm",
    "hugo",
    "yq",
    "glab",
    "terminal-notifier",
    "fswatch",
    "gpg",
    "direnv",
    "just",
)
SETS_PATH = re.compile(
    r"brew shellenv|nvm\.sh|pyenv init|fnm env|mise activate|asdf\.sh|\.zprofile|\.zshrc|\.bash_profile|\.bashrc|\.profile|path_helper"
)


def check(facts: JobFacts, context: Context) -> Iterator[Finding]:
    """A finding for the job's own program, and one for each installed program that its scripts call."""
    path = _path(facts)
    if isinstance(facts.job.run, Argv):
        name = facts.job.run.words[0]
        if "/" not in name and missing_on(name, path, context.disk):
            yield _finding(facts, name, context.disk)
            return
    seen: set[str] = set()
    for reached in facts.reached:
        script: Script = reached.script
        if _sets_path(script):
            return
        for name, command, _arguments in calls_of(script, *INSTALLED):
            if command.name != name or name in seen or is_provided(script, name):
                continue
            if missing_on(name, path, context.disk):
                seen.add(name)
                yield Finding(
                    script.of(command.words[0]),
                    f"{name} is not on the PATH of job {facts.job.name!r} ({':'.join(path)}): status 127",
                    Fix("add its folder to `path` in [project], or call it by its full path"),
                )


def _path(facts: JobFacts) -> Sequence[str]:
    own = dict(facts.job.env).get("PATH")
    return tuple(own.split(":")) if own else facts.manifest.project.path


def _finding(facts: JobFacts, name: str, disk: Disk) -> Finding:
    where = _elsewhere(facts.manifest.project.home, name, disk)
    text = f"{name} is not on the job's PATH: status 127 at every start"
    return Finding(
        facts.at("run"),
        f"{text}; it lies in {where}" if where else text,
        Fix("add its folder to `path` in [project], or write its full path"),
    )


def _elsewhere(home: str, name: str, disk: Disk) -> str:
    """Where a login shell would find it."""
    folders = ["/opt/homebrew/bin", "/usr/local/bin", f"{home}/.local/bin", f"{home}/bin", f"{home}/.bun/bin"]
    nvm = f"{home}/.nvm/versions/node"
    folders += [f"{nvm}/{version}/bin" for version in reversed(disk.names(nvm))]
    return next((folder for folder in folders if disk.exists(f"{folder}/{name}")), "")


def _sets_path(script: Script) -> bool:
    assigned = any(
        assignment.name in ("PATH", "path")
        for command in script.commands
        for assignment in command.assignments
    )
    return assigned or SETS_PATH.search(script.source.text) is not None


RULE = Rule(
    code="E211",
    name="program-not-on-path",
    title="Program that the job's PATH does not hold",
    subject="job",
    severity=Severity.ERROR,
    why=(
        "A job gets the PATH of the manifest, not that of a terminal. A program that lies elsewhere ends it with 127 at "
        "every start, and launchctl shows 32512."
    ),
    bad=manifest('at = "09:30"', run='["npx", "tool", "sync"]').replace('"/opt/homebrew/bin", ', ""),
    good=(
        manifest('at = "09:30"', run='["npx", "tool", "sync"]'),
        manifest('at = "09:30"', run='["/usr/bin/rsync", "-a", "/a", "/b"]'),
    ),
    exceptions="Silent for folders that this machine does not have: what they hold on the Mac cannot be told.",
    sources=("https://github.com/mazzzystar/ccclub/issues/18",),
    check=check,
)
