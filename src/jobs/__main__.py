"""`python -m jobs`: the same program as `jobsctl`."""

from jobs.cli.app import run

run()
