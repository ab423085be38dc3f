"""The backends that answer prompts."""
