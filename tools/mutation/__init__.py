"""Whether tests notice small mistakes in toolworld's own code: ``python -m tools.mutation``."""
