"""The program: its verbs, its help, and the one error boundary.

A verb is imported only when it is called: the table below is all that `--help` needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from jobs.errors import Exit, JobsError, UsageError

if TYPE_CHECKING:
    import typer


@dataclass(frozen=True, slots=True)
class Verb:
    """A subcommand: `module` under jobs.cli holds a `typer.Typer` called `app`."""

    name: str
    module: str
    help: str


VERBS: tuple[Verb, ...] = (
    Verb("init", "init", "Write a commented manifest to start from."),
    Verb("add", "add", "Add a job to the manifest."),
    Verb("import", "import_", "Bring property lists and a crontab into the manifest, with a proof."),
    Verb("schema", "schema", "Print the JSON Schema of the manifest."),
    Verb("build", "build", "Compile the manifest into plists and wrappers."),
    Verb("run", "run", "Run one job now, as launchd would, and show its output."),
    Verb("lint", "lint", "Find what will go wrong: locks, quota, schedules, property lists, bash 3.2."),
    Verb("rules", "rules", "List the rules of the linter."),
    Verb("explain", "explain", "Explain a rule; --prove shows the fault of a lock with real processes."),
    Verb("catchup", "catchup", "Make up what a quota stop skipped, one by one."),
    Verb("guard", "guard", "Show, open and close the breakers of the AI tools' quotas; judge an output."),
    Verb("install", "install", "Load the manifest's jobs into launchd."),
    Verb("uninstall", "uninstall", "Take installed jobs out of launchd."),
    Verb("rollback", "rollback", "Install an earlier set of jobs again."),
    Verb("status", "status", "Show what is true of each job now."),
    Verb("history", "history", "Show the runs of a job, newest first."),
    Verb("logs", "logs", "Show the log of a job."),
    Verb("why", "why", "Tell what happened at a job's last slot, and why."),
    Verb("doctor", "doctor", "Look for what kills jobs silently."),
    Verb("next", "next", "Show the next slots of jobs, and their schedules in words."),
    Verb("week", "week", "Show the days to come as a calendar, in the terminal or as a page."),
    Verb("simulate", "simulate", "Play days that have not come yet: sleep, quota stops, what is made up."),
    Verb("enable", "enable", "Switch jobs on again."),
    Verb("disable", "disable", "Switch jobs off until they are enabled again."),
    Verb("restart", "restart", "Stop jobs and start them again."),
    Verb("selftest", "selftest", "Test the lock with a storm of real processes, on your own disk."),
    Verb("shell-init", "shell_init", "Print the shell function that makes `jobs VERB` work at a prompt."),
)

EPILOG = """\b
Examples (jobsctl is the same program under a name that no shell keeps for itself):
  jobsctl build                   compile jobs.toml into generated/
  jobsctl build --check           in CI: fail when generated/ is stale
  eval "$(jobsctl shell-init zsh)"   make `jobs build` work at the prompt

Exit status: 0 good, 1 findings, drift or a failure, 2 bad usage or bad manifest, 130 interrupted.
"""


def called_verb(words: Sequence[str]) -> str | None:
    """The verb that a command line names, or None (`--help`, `--version`). Raises UsageError for one that is not there."""
    word = next((word for word in words if not word.startswith("-")), None)
    if word is None or any(word == verb.name for verb in VERBS):
        return word
    from difflib import get_close_matches

    near = get_close_matches(word, [verb.name for verb in VERBS], n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`jobsctl --help` lists the commands"
    raise UsageError(f"there is no command {word!r}: {hint}")


def program(called: str | None) -> typer.Typer:
    """The root command: the called verb is imported, the others are only their line of help."""
    import typer

    root = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        help="Scheduled jobs on a Mac from one TOML manifest: every slot runs once, never twice, and never lost "
        "without a record.",
        epilog=EPILOG,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )

    def show_version(value: bool) -> None:
        if value:
            from jobs import __version__

            print(f"jobs {__version__}")
            raise typer.Exit

    @root.callback()
    def options(
        _version: bool = typer.Option(
            False, "--version", is_eager=True, callback=show_version, help="Show the version and exit."
        ),
    ) -> None: ...

    for verb in VERBS:
        if verb.name != called:
            root.command(verb.name, help=verb.help)(lambda: None)
            continue
        app: typer.Typer = import_module(f"jobs.cli.{verb.module}").app
        if len(app.registered_commands) == 1:
            command = app.registered_commands[0]
            command.name = verb.name
            root.registered_commands.append(command)
        else:
            root.add_typer(app, name=verb.name)  # its callback says its help
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status of one call; `argv` defaults to the process's own arguments."""
    import typer

    click_exception = typer.BadParameter.__mro__[2]  # typer brings its own click, under a name that changes
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        result = program(called_verb(words))(args=words, prog_name="jobsctl", standalone_mode=False)
    except typer.Exit as stop:
        return stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except JobsError as error:
        from jobs.cli.console import print_error

        print_error(error)
        return error.status
    except BrokenPipeError:
        # The reader went away (`| head`): nothing more to say, and nothing to complain about.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except Exception as error:  # the one boundary: whatever is not foreseen becomes a report
        if isinstance(error, click_exception):
            error.show()  # type: ignore[attr-defined]
            return Exit.USAGE
        from jobs.cli.console import print_crash

        print_crash(error, words)
        return Exit.FINDINGS
    return result if isinstance(result, int) else Exit.OK


def run() -> NoReturn:
    """Entry point of the scripts."""
    sys.exit(main())
