"""Scenarios of a package: situations drawn, experts run, branches and twins found."""
