"""The only modules that touch the machine."""
