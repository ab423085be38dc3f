"""Commands killed at random moments: what they leave is whole, and nothing of theirs runs on."""
