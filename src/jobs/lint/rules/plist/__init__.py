"""Rules on property lists: the file as a file, its keys, its values."""
