"""What passes between an agent and the world: definitions, arguments, results, the trace."""
