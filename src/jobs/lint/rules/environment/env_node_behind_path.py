"""E102: a script of Node by its full path, and Node not on the PATH."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from jobs.diagnostics import Fix, Severity
from jobs.lint.placeholder import placeholder_in
from jobs.lint.plist_job import STANDARD_PATH, PlistJob, on_job
from jobs.lint.rule import Context, Finding, Rule
from jobs.lint.sample import AGENT_PATH, environment, job

_NODE_SCRIPTS = frozenset({
    "npm", "npx", "yarn", "yarnpkg", "pnpm", "pnpx", "corepack", "tsx", "ts-node", "pm2", "nodemon", "zx", "gemini",
    "wrangler", "vercel", "netlify", "eslint", "gulp", "grunt", "http-server", "forever", "json-server",
})  # fmt: skip

# Where npm puts what it installs for everybody: all but these three there begin with an env node line.
_NPM_FOLDER = re.compile(
    r"\.nvm/versions/node/[^/]+/bin$|node-versions/[^/]+/installation/bin$|\.npm-(?:global|packages)/bin$"
)
_NOT_SCRIPTS = frozenset({"node", "bun", "deno"})


def _check(job: PlistJob, _context: Context) -> Iterator[Finding]:
    """A program that begins with `#!/usr/bin/env node`, in a job whose PATH has no folder for Node."""
    program = job.executable
    if not program.startswith("/") or job.program is None or placeholder_in(program):
        return
    folder = str(PurePosixPath(program).parent)
    installed = _NPM_FOLDER.search(folder) is not None and job.executable_name not in _NOT_SCRIPTS
    if job.executable_name not in _NODE_SCRIPTS and not installed:
        return
    if not job.path or any(part.rstrip("/") not in STANDARD_PATH for part in job.path):
        return
    yield Finding(
        job.program.place,
        f"{program} begins with `#!/usr/bin/env node`, and node is not on the job's PATH: it ends with 127",
        Fix(f"set PATH in EnvironmentVariables to {folder}:{':'.join(STANDARD_PATH)}"),
    )


RULE = Rule(
    code="E102",
    name="env-node-behind-path",
    title="A Node script by full path, without Node on PATH",
    subject="plist",
    severity=Severity.WARNING,
    why="The full path finds the script; its first line then looks for node on the job's PATH, where it is not.",
    bad=job(argv=("/opt/homebrew/bin/npx", "tool", "sync")),
    good=(
        job(environment(PATH="/opt/homebrew/bin:/usr/bin:/bin"), argv=("/opt/homebrew/bin/npx", "tool")),
        job(argv=("/opt/homebrew/bin/node", "/usr/local/lib/tool.js")),
    ),
    check=on_job(_check),
    sources=("npm: bin links to scripts with an env node line", "env(1)"),
    example_path=AGENT_PATH,
)
