"""Words that stand for something the reader should have put in."""

from __future__ import annotations

import re

PLACEHOLDER = re.compile(
    r"\{\{[^}]*\}\}|\{%.*?%\}|<%.*?%>|(?:(?<=[/=:@])|^)<[A-Za-z][A-Za-z _\-]{2,}>|%[A-Z][A-Z_]{2,}%|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*__"
    r"|\bPATH_TO_[A-Z_]+|\breplace_(?:me|this|with)\w*|\bYOUR[_-]?[A-Z][A-Z0-9_-]*|\[YOUR[^\]]*\]|\bREPLACE[_-][A-Z_-]+|\bCHANGE[_-]?ME\b|(?<=\.)YOUR(?:NAME|DOMAIN)\b"
    r"|/Users/(?:USERNAME|USER|USER_NAME|NAME|YOU|you|username|user_name|yourname|your_name|your-name|yourusername|your-username"
    r"|your_username|yourUsername|yourUserName|youruser|your-user|your_user|YourUser|YourName|YourUsername|[A-Z][A-Z_]{3,}|xxx+|\.\.\.)(?=/|$)"
    r"|(?:^|[=:])/?(?:full/|absolute/)?path/to/|(?:^|/)(?:full|absolute)[-_]?path[-_]?to(?:/|$)|/path/to(?:/|$)|/your/path/|/path/to/your",
)


def placeholder_in(text: str) -> str | None:
    """The first placeholder in a text, or None."""
    found = PLACEHOLDER.search(text)
    return found.group().strip("=:") if found else None
