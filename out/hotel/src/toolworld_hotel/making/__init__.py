"""How tasks of this package are made: situations, experts and words; no part of the wheel.

A situation picks rows and says what a person in it knows. An expert solves it as a skilled
employee would: it sees nothing but what the person says and what tools return.
"""
