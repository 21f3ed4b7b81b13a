"""Readers: text in, located data out. What cannot be read is a diagnostic."""
