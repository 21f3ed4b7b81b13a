"""From located TOML to a Manifest, or to diagnostics: a user's mistake never raises."""

from jobs.decode.load import Loaded, load, load_text

__all__ = ["Loaded", "load", "load_text"]
