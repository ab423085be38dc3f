"""A real model on this machine, and a small draft by it: ``make local-model``."""
