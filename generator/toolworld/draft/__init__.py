"""A domain drafted by a model, from a keyword to a spec that is checked and proven."""

from toolworld.draft.blueprint import Brief
from toolworld.draft.run import BRIEF, Drafted, draft, open_draft

__all__ = ["BRIEF", "Brief", "Drafted", "draft", "open_draft"]
