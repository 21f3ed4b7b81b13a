"""A second double of launchctl, with other spellings and another build."""
