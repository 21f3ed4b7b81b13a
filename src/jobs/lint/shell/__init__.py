"""What the script rules ask of a script: locks, guards for a platform, commands behind wrappers."""
