"""Slots and firings: what a manifest's schedule means. Pure: no I/O, the clock is passed in."""
