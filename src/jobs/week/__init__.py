"""What comes next: the jobs of a manifest on the calendar."""
