"""Checks that many episodes of one server stay apart, and that their memory is freed."""
