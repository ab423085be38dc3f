"""What an agent may do: numbered clauses, and which of them an episode broke."""
