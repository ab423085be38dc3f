"""The documentation: reads and runs its pages, and writes its reference from the code."""
