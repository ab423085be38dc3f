"""Speed, measured against what a reader can check: ``make bench``."""
