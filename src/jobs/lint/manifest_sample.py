"""Small manifests for the rules' own examples."""

from __future__ import annotations

HEAD = """version = 1

[project]
name = "tidy"
prefix = "com.example"
root = "/Users/kim/tidy"
home = "/Users/kim"
path = ["/opt/homebrew/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
"""


def manifest(lines: str, *, run: str = '["bin/tidy"]') -> str:
    """A manifest of one job with these lines in its table."""
    return f"{HEAD}\n[jobs.tidy]\nrun = {run}\n{lines}\n"
