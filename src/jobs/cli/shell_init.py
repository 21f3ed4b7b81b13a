"""`jobs shell-init SHELL`: the function that makes `jobs build` work where the shell has a `jobs` of its own."""

from __future__ import annotations

import typer

from jobs.errors import Exit, UsageError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  eval "$(jobsctl shell-init zsh)"      in ~/.zshrc
  eval "$(jobsctl shell-init bash)"     in ~/.bashrc
  jobsctl shell-init fish | source      in ~/.config/fish/config.fish
"""

# `function NAME` and not `NAME()`: an alias of that name would be expanded before the parentheses.
POSIX = """\
# Commands of the tool go to jobsctl, everything else to the shell's own jobs. (In a pipe bash
# shows background jobs to its builtin and to no function: there write `command jobs | less`.)
unalias jobs 2>/dev/null || :
function jobs {{
    case "${{1-}}" in
        {words}) command jobsctl "$@" ;;
        *) builtin jobs "$@" ;;
    esac
}}
"""

FISH = """\
# Commands of the tool go to jobsctl, everything else to the shell's own jobs.
function jobs --description 'Scheduled jobs, or the background jobs of this shell'
    switch "$argv[1]"
        case {words}
            command jobsctl $argv
        case '*'
            builtin jobs $argv
    end
end
"""


@app.command(
    epilog=EPILOG,
    help="Print a shell function `jobs` that sends the commands of this tool to jobsctl, and everything else, such as "
    "`jobs -l` or `jobs %1`, to the shell's own `jobs`.",
)
def shell_init(shell: str = typer.Argument(metavar="SHELL", help="zsh, bash or fish.")) -> int:
    """Always 0."""
    print(function_text(shell), end="")
    return Exit.OK


def function_text(shell: str) -> str:
    """The function for a shell. Raises UsageError for a shell that is not known."""
    from jobs.cli.app import VERBS

    words = [verb.name for verb in VERBS] + ["--help", "--version"]
    if shell in {"zsh", "bash"}:
        return POSIX.format(words=" | ".join(words))
    if shell == "fish":
        return FISH.format(words=" ".join(words))
    raise UsageError(f"no function for {shell!r}: there is one for zsh, bash and fish; elsewhere use jobsctl")
