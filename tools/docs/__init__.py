"""The documentation: its pages read and run, and its reference written from the code."""
