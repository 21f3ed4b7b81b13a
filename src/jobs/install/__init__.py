"""Bringing launchd to what was built: plan, apply, verify, roll back."""
