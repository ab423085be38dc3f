"""Asks a model: prompts, typed answers that are checked, a budget, and a journal to go on from."""

from toolworld.llm.backend import Backend, ModelReply
from toolworld.llm.desk import ModelLimits
from toolworld.llm.prompts import Prompt

__all__ = ["Backend", "ModelLimits", "ModelReply", "Prompt"]
