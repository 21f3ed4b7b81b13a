"""The linter: rules, the engine that runs them, and the reports."""
