"""Rules on the generated files: they are what the manifest compiles to, or they are stale."""
