"""Conduct in Brightpath Careers: job sear…: the clauses of the policy that can be seen in a trace.

A predicate is asked at each call that changed something and at each message of the agent; it
returns whether the clause is kept there.
"""

from __future__ import annotations
