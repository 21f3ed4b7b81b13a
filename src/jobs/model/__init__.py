"""The manifest as data, and the two tables of keys."""
