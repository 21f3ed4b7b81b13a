"""A double of launchctl with the launchd behind it: stateful, with real processes."""
