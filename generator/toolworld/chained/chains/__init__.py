"""Chains of calls, from an edge of the graph to a draft of a task."""
