"""From manifest to files: a pure function to `{relative path: bytes}`."""
