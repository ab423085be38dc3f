"""Checks whether tests notice mistakes in toolworld's own code: ``python -m tools.mutation``."""
