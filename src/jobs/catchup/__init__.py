"""Catching up on this machine: what the pure judgement of runtime/catchup.py needs to know, and what draining does."""
