"""Who can answer prompts."""
