"""Located TOML to the records of a manifest, or to diagnostics: a user's mistake never raises."""

from jobs.decode.loading import Loaded, load, load_bytes, load_text

__all__ = ["Loaded", "load", "load_bytes", "load_text"]
