"""Certified tasks, made from a package and its tool graph."""
