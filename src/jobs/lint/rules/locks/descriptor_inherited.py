"""L014: a lock's descriptor that background children keep open."""

from __future__ import annotations

from collections.abc import Iterator

from jobs.diagnostics import Edit, Fix, Severity
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.shell.locks import descriptor_commands
from jobs.lint.shell.operations import inner_command
from jobs.read.shell.script import Script
from jobs.read.shell.tree import Command, Function, Group, Node
from jobs.text import Span


def check(script: Script, _context: Context) -> Iterator[Finding]:
    """A finding at each background command that inherits the descriptor and may outlive the script."""
    for command in descriptor_commands(script):
        fd = _descriptor(command)
        if not fd or _waited_for(script, command):
            continue
        for node in script.nodes:
            if node.background and _inherits(node, command, fd):
                edit = Edit(script.path, Span(node.end, node.end), f" {fd}>&-")
                yield Finding(
                    script.of(node),
                    f"this child in the background keeps descriptor {fd} open: the lock stays taken until it ends",
                    Fix(f"close it for the child: `{fd}>&-`", (edit,) if script.fixed is None else ()),
                )


def _descriptor(command: Command) -> str:
    _name, arguments = inner_command(command)
    plain = [word for word in arguments if not word.shape.startswith("-")]
    last = plain[-1] if plain else None
    if last is None:
        return ""
    if last.shape.isdigit() and int(last.shape) > 2:
        return last.shape
    names = last.variables()
    return "{" + names[0] + "}" if names and last.shape == f"${names[0]}" and "fd" in names[0].lower() else ""


def _waited_for(script: Script, command: Command) -> bool:
    return any(call.start > command.start for name in ("wait", "fg") for call in script.calls.get(name, ()))


def _inherits(node: Node, lock: Command, fd: str) -> bool:
    if node.start < lock.end or any(above is node for above in lock.ancestors()):
        return False
    function = next((above for above in lock.ancestors() if isinstance(above, Function)), None)
    shell = next((above for above in lock.ancestors() if isinstance(above, Group) and above.subshell), None)
    if shell is not None and not shell.start <= node.start < shell.end:
        return False
    holder = next(
        (above for above in lock.ancestors() if any(redirect.fd == fd for redirect in above.redirects)), None
    )
    if holder is not None and not holder.start <= node.start < holder.end:
        return False
    if (
        function is not None
        and shell is None
        and holder is None
        and function.start <= node.start < function.end
    ):
        pass
    return not any(_closes(each, fd) for each in (node, *_inside(node), *node.ancestors()))


def _inside(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [child for _slot, child in each.children()]


def _closes(node: Node, fd: str) -> bool:
    return any(
        redirect.fd == fd.strip("{}") and redirect.operator in (">&", "<&") and redirect.target.shape == "-"
        for redirect in node.redirects
    )


RULE = Rule(
    code="L014",
    name="descriptor-inherited",
    title="Lock kept by a child in the background",
    subject="script",
    severity=Severity.WARNING,
    why=(
        "A kernel lock belongs to the open file, not to the process: it is free when the last copy of the descriptor is "
        "closed. A helper that was started in the background keeps its copy, and every later run finds the lock taken."
    ),
    bad="""\
#!/bin/bash
exec 9>"$HOME/.state/sync.lock"
/usr/bin/lockf -s -t 0 9 || exit 0
nohup helper &
rsync -a "$HOME/a/" "$HOME/b/"
""",
    good=(
        """\
#!/bin/bash
exec 9>"$HOME/.state/sync.lock"
/usr/bin/lockf -s -t 0 9 || exit 0
nohup helper 9>&- &
rsync -a "$HOME/a/" "$HOME/b/"
""",
        """\
#!/bin/bash
exec 9>"$HOME/.state/sync.lock"
/usr/bin/lockf -s -t 0 9 || exit 0
rsync -a "$HOME/a/" "$HOME/b/" &
rsync -a "$HOME/c/" "$HOME/d/" &
wait
""",
    ),
    exceptions="Silent when the script waits for its children.",
    sources=("https://github.com/marcusquinn/aidevops/issues/18264", "flock(2)"),
    check=check,
)
