"""Rules on locks: taken by one, seen by the others, freed by the one that took it."""
