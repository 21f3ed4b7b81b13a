"""Rules on bash 3.2 and the BSD tools, for scripts that macOS's own shells run."""
