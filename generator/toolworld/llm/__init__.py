"""Asks a model: prompts, typed and checked answers, a budget, and a journal to resume from."""

from toolworld.llm.backend import Backend, ModelReply
from toolworld.llm.desk import ModelLimits
from toolworld.llm.prompts import Prompt

__all__ = ["Backend", "ModelLimits", "ModelReply", "Prompt"]
