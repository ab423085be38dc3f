"""Domain folders that nobody would write, checked and built: ``python -m tools.fuzz.domains``."""
