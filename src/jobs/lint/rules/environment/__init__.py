"""Rules on what a job finds when it starts: programs, folders, rights, language."""
