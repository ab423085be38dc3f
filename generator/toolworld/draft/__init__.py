"""A domain drafted by a model, from a keyword to a spec that is checked and proven."""

from toolworld.draft.backend import Backend, ModelReply
from toolworld.draft.blueprint import Brief
from toolworld.draft.desk import DraftLimits
from toolworld.draft.prompts import Prompt
from toolworld.draft.run import BRIEF, Drafted, draft, open_draft

__all__ = [
    "BRIEF",
    "Backend",
    "Brief",
    "Drafted",
    "DraftLimits",
    "Prompt",
    "ModelReply",
    "draft",
    "open_draft",
]
