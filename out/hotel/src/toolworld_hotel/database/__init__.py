"""The rows: what they are, the seed data all episodes share, and an episode's own changes."""
