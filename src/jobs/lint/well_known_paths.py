"""Paths that mean trouble for jobs, as patterns over any text that may hold one."""

from __future__ import annotations

import re

_START = r"(?<![\w./-])"
_HOME = r"(?:/Users/[^/\s\"']+|~|\$HOME|\$\{HOME\})"

# Folders that need a privacy right, at their place in a home folder only.
PRIVATE = re.compile(
    rf"{_START}{_HOME}/(?P<folder>Documents|Desktop|Downloads|Library/Mobile(?:\\)? Documents|Library/CloudStorage"
    r"|Library/(?:Mail|Messages|Safari|Calendars|Cookies)|Pictures/Photos Library\.photoslibrary)(?=/|$|[\s\"';:])"
)
VOLUME = re.compile(rf"{_START}/Volumes/(?!Macintosh ?HD(?:/|$))[^/\s\"';:]+")

# A folder of one version; named environments and links have no digits there.
VERSIONED = re.compile(
    r"\.nvm/versions/[a-z.]+/v?\d[\w.\-]*|\.(?:pyenv|rbenv|nodenv|jenv|goenv|plenv)/versions/\d+\.[\w.\-]*"
    r"|\.rvm/(?:rubies|gems|wrappers|environments)/(?:ruby-)?\d[\w.\-]*|(?:\.asdf|mise|rtx)/installs/[\w.\-]+/\d+\.[\w.\-]*"
    r"|fnm/node-versions/v?\d[\w.\-]*|fnm_multishells/\w+|\.volta/tools/image/[\w\-]+/\d[\w.\-]*"
    r"|(?:Cellar|Caskroom)/[\w@.+\-]+/\d[\w.+\-]*|\.sdkman/candidates/\w+/\d[\w.\-]*|/n/versions/node/\d[\w.\-]*"
    r"|uv/python/cpython-\d[\w.\-]*|\.n/versions/node/\d[\w.\-]*"
)
