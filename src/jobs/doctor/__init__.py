"""What kills jobs silently, looked for one by one, each finding with its evidence and what to do."""
