"""jobs: one TOML manifest for the scheduled jobs of a Mac."""

__version__ = "0.1.0"
