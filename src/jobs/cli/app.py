"""The program: its verbs, its help, and the one error boundary.

A verb is imported only when it is called: the table below is all that `--help` needs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from jobs.errors import Exit, JobsError

if TYPE_CHECKING:
    import click


@dataclass(frozen=True, slots=True)
class Verb:
    """A subcommand: `module` under jobs.cli holds a `typer.Typer` called `app`."""

    name: str
    module: str
    help: str


VERBS: tuple[Verb, ...] = (
    Verb("build", "build", "Compile the manifest into plists and wrappers."),
    Verb("shell-init", "shell_init", "Print the shell function that makes `jobs VERB` work at a prompt."),
)

EPILOG = """\b
Examples (jobsctl is the same program under a name that no shell keeps for itself):
  jobsctl build                   compile jobs.toml into generated/
  jobsctl build --check           in CI: fail when generated/ is stale
  eval "$(jobsctl shell-init zsh)"   make `jobs build` work at the prompt

Exit status: 0 good, 1 findings, drift or a failure, 2 bad usage or bad manifest, 130 interrupted.
"""


def program() -> click.Group:
    """The command group, with verbs that load when they are asked for."""
    import click
    from typer.main import get_command

    class LazyGroup(click.Group):
        """A group whose commands are imported on demand."""

        def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
            return [verb.name for verb in VERBS]

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
            verb = next((verb for verb in VERBS if verb.name == cmd_name), None)
            if verb is None:
                return None
            module = import_module(f"jobs.cli.{verb.module}")
            command: click.Command = get_command(module.app)
            command.name = verb.name
            return command

        def resolve_command(
            self, ctx: click.Context, args: list[str]
        ) -> tuple[str | None, click.Command | None, list[str]]:
            try:
                return super().resolve_command(ctx, args)
            except click.UsageError as error:
                from difflib import get_close_matches

                near = get_close_matches(args[0], [verb.name for verb in VERBS], n=1)
                hint = f" Did you mean {near[0]!r}?" if near else " `jobsctl --help` lists the commands."
                raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx) from error

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
            with formatter.section("Commands"):
                formatter.write_dl([(verb.name, verb.help) for verb in VERBS])

    def show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        if value:
            from jobs import __version__

            click.echo(f"jobs {__version__}")
            ctx.exit(0)

    return LazyGroup(
        name="jobsctl",
        help="Scheduled jobs on a Mac from one TOML manifest: every slot runs once, never twice, and never lost "
        "without a record.",
        epilog=EPILOG,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        params=[
            click.Option(
                ["--version"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=show_version,
                help="Show the version and exit.",
            )
        ],
        no_args_is_help=False,
        invoke_without_command=False,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status of one call; `argv` defaults to the process's own arguments."""
    import click

    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        words = ["--help"]
    try:
        result = program().main(args=words, prog_name="jobsctl", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        return Exit.INTERRUPTED
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return Exit.USAGE
    except JobsError as error:
        from jobs.cli.console import print_error

        print_error(error)
        return error.status
    except BrokenPipeError:
        # The reader went away (`| head`): nothing more to say, and nothing to complain about.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except Exception as error:  # noqa: BLE001 - the one boundary: whatever is not foreseen becomes a report
        from jobs.cli.console import print_crash

        print_crash(error, words)
        return Exit.FINDINGS
    return result if isinstance(result, int) else Exit.OK


def run() -> NoReturn:
    """Entry point of the scripts."""
    sys.exit(main())
