"""What the package was proven by: laws, cases, known survivors; no part of the wheel."""
