"""The rules that read an agent's message, from its sentences to the acts of each one."""
