"""What the operating system has a hand in: processes that end together, and files that last."""
