"""What stands around a chain: distractors, active tools, and how hard it all is."""
