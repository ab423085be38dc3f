"""The rules for reading an agent's message: its sentences, and the acts of each."""
