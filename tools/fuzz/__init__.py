"""Made-up calls against every tool of a package, and what must hold after each: ``make fuzz``."""
