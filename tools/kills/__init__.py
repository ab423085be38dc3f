"""Kills commands at random moments: what they leave must be whole, and no process runs on."""
