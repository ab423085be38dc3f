"""Tasks made from chains of calls, for domains without scenarios: marked to go.

Tasks come from scenarios (``toolworld.tasks``). Until scenarios are drafted with a new domain,
``toolworld new`` and toolworld's own MCP server make plain certified tasks from chains here, in
words from the domain's phrases. Nothing else may import this; it goes once they need it no more.
"""

from toolworld.chained.report import ChainedReport
from toolworld.chained.run import ChainedOrder, make_tasks

__all__ = ["ChainedOrder", "ChainedReport", "make_tasks"]
