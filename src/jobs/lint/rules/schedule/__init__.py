"""Rules on when a job starts."""
