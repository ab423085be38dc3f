"""The person who asks: what they know, and how they understand and answer an agent."""
