"""Laws of a domain, and the search for episodes that break them.

Tests of one tool at a time do not see what only a sequence of calls shows, such as money that
goes back twice by two routes.
"""

from toolworld.laws.law import Law, laws_of
from toolworld.laws.report import LawsReport
from toolworld.laws.run import LawSearch, prove_laws, read_report, still_broken

__all__ = ["Law", "LawSearch", "LawsReport", "laws_of", "prove_laws", "read_report", "still_broken"]
