"""Rules on what the linter could not judge, and on comments that speak to it."""
