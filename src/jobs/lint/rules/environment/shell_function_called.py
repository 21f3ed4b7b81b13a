"""E003: nvm, conda and others, which are functions of an interactive shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobs.diagnostics import Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command
from jobs.read.shell.values import values_of

# name: the first arguments that need the function, and what a script does to define it
FUNCTIONS: dict[str, tuple[str, str, str]] = {
    "nvm": (r".+", r"nvm\.sh|nvm/nvm|NVM_DIR", '. "$NVM_DIR/nvm.sh"'),
    "conda": (
        r"activate|deactivate",
        r"conda\.sh|shell\.\w+ hook|conda init|/etc/profile\.d/conda|bin/activate",
        'eval "$(conda shell.bash hook)"',
    ),
    "mamba": (r"activate|deactivate", r"mamba\.sh|shell hook|shell\.\w+ hook", 'eval "$(mamba shell hook)"'),
    "micromamba": (
        r"activate|deactivate",
        r"shell hook|shell\.\w+ hook",
        'eval "$(micromamba shell hook -s bash)"',
    ),
    "sdk": (r"use|env|default", r"sdkman-init", '. "$HOME/.sdkman/bin/sdkman-init.sh"'),
    "rvm": (r"use|gemset", r"scripts/rvm", '. "$HOME/.rvm/scripts/rvm"'),
    "pyenv": (r"shell|activate|deactivate", r"pyenv init|pyenv virtualenv-init", 'eval "$(pyenv init -)"'),
    "rbenv": (r"shell", r"rbenv init", 'eval "$(rbenv init -)"'),
    "nodenv": (r"shell", r"nodenv init", 'eval "$(nodenv init -)"'),
    "jenv": (r"shell", r"jenv init", 'eval "$(jenv init -)"'),
    "asdf": (r"shell", r"asdf\.sh", '. "$HOME/.asdf/asdf.sh"'),
    "fnm": (r"use", r"fnm env", 'eval "$(fnm env)"'),
    "workon": (r".*", r"virtualenvwrapper", ". virtualenvwrapper.sh"),
}
ANY_PROFILE = re.compile(r"(^|/)\.?(zshrc|bashrc|bash_profile|zprofile|profile|zshenv)$")


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at the first call of each function that nothing defines."""
    for name, (first, defining, instead) in FUNCTIONS.items():
        calls = [each for each in script.calls.get(name, ()) if _needs(each, first)]
        if not calls or name in script.functions or _defined(script, defining):
            continue
        yield Finding(
            script.of(calls[0].words[0]),
            f"{name} is a function of the interactive shell; a job reads no profile and ends with 127",
            Fix(f"write `{instead}` above, or call the program by its full path"),
        )


def _needs(command: Command, first: str) -> bool:
    argument = command.arguments[0].shape if command.arguments else ""
    return re.fullmatch(first, argument) is not None


def _defined(script: Script, defining: str) -> bool:
    pattern = re.compile(defining)
    for command in (
        *script.calls.get(".", ()),
        *script.calls.get("source", ()),
        *script.calls.get("eval", ()),
    ):
        for word in command.arguments:
            text = values_of(script).text(word, command)
            if pattern.search(text + " " + word.raw) or ANY_PROFILE.search(text):
                return True
            if "$" in text and command.name != "eval" and not text.startswith(("$HOME", "$NVM")):
                return True  # a file that cannot be told
    shells = script.calls.get("bash", []) + script.calls.get("zsh", [])
    return any(re.match(r"-[a-z]*[il]", word.shape) for shell in shells for word in shell.arguments) or (
        script.source.line(1).startswith("#!")
        and re.search(r"\s-[a-z]*[il]", script.source.line(1)) is not None
    )


RULE = Rule(
    code="E003",
    name="shell-function-called",
    title="Function of the interactive shell called in a script",
    subject="script",
    severity=Severity.ERROR,
    why=(
        "nvm, `conda activate`, `pyenv shell` and the like are functions that the profile of a terminal defines. launchd "
        "reads no profile, and a script does not inherit them: command not found."
    ),
    bad="""\
#!/bin/bash
nvm use 22
node "$HOME/app/sync.js"
""",
    good=(
        """\
#!/bin/bash
export NVM_DIR="$HOME/.nvm"
. "$NVM_DIR/nvm.sh"
nvm use 22
node "$HOME/app/sync.js"
""",
    ),
    exceptions="Silent where the script reads the file that defines the function, or a profile.",
    sources=("https://github.com/nvm-sh/nvm#readme",),
    check=check,
)
