"""What the package was proven with: laws, cases, known survivors; no part of the wheel."""
