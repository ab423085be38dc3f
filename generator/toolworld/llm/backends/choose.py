"""The backend that ``--model`` names."""

from __future__ import annotations

from pathlib import Path

from toolworld.errors import ModelError
from toolworld.llm.backend import Backend
from toolworld.llm.backends.files import Files
from toolworld.llm.backends.replay import Recording

HOW = (
    "Give anthropic:NAME, openai:NAME, NAME with --base-url for a server of your own, "
    "files:FOLDER or replay:FILE."
)
INSTALL = 'pip install "toolworld[llm]"'


def backend_of(model: str, base_url: str | None = None) -> Backend:
    """Return the backend for a model.

    Args:
        model: ``anthropic:NAME``, ``openai:NAME``, ``files:FOLDER``, ``replay:FILE``, or a
            plain name together with a URL, where no key is sent.
        base_url: The URL to ask; None for the provider's own.

    Raises:
        ModelError: There is no such backend, or it cannot be used.
    """
    kind, _, rest = model.partition(":")
    if kind in ("files", "replay") and rest:
        return Files(Path(rest)) if kind == "files" else Recording(Path(rest))
    if base_url is None and (kind not in ("anthropic", "openai") or not rest):
        raise ModelError(f'There is no model "{model}". {HOW}')

    return _provider(model, base_url)


def _provider(model: str, base_url: str | None) -> Backend:
    try:
        from toolworld.llm.backends.models import provider_model
    except ModuleNotFoundError as error:
        raise ModelError(f"{model} needs more to be installed: {INSTALL}") from error
    return provider_model(model, base_url)
