"""Models of providers and of one's own servers, through pydantic-ai.

Answers are streamed, to tell a slow model from one that hangs. Errors that pass by themselves are
retried here and not in the providers' clients, which give up on a broken stream.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import anyio
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError, ModelAPIError, ModelRequestRejectedError
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from toolworld.errors import ModelError
from toolworld.llm.backend import ModelReply
from toolworld.llm.backends.failures import is_about_the_schema, passes, refusal, told
from toolworld.llm.backends.places import Place, place_of
from toolworld.llm.prompts import Prompt
from toolworld.llm.schemas import enforceable

ANSWER = "answer"
"""The name of the schema, where it needs one."""


@dataclass(frozen=True)
class Patience:
    """How long to wait for a model.

    Attributes:
        tries: The most requests for one answer.
        first_wait: Seconds before the second request; doubled before each further one.
        longest_wait: The most seconds before a request, whatever the provider asks for.
        silence: Seconds without a sign of life until a request counts as hanging.
    """

    tries: int = 6
    first_wait: float = 2.0
    longest_wait: float = 60.0
    silence: float = 300.0


OWN_SERVER = Patience(silence=1800.0)
"""For one's own server, which may have few cores and answer one prompt after another."""


class ProviderModel:
    """Asks one model, with the prompt's schema enforced if its server can do that."""

    def __init__(self, place: Place, model: Model, patience: Patience) -> None:
        """Take a model, the place where it is asked, and how long to wait for it."""
        self.name = place.name
        self._place = place
        self._model = model
        self._patience = patience

    async def answer(self, prompt: Prompt) -> ModelReply:
        """Return the model's answer, unchecked.

        Raises:
            ModelError: No answer will come.
        """
        async with self._model:
            response = await self._patiently(prompt)
        if response.finish_reason == "content_filter":
            raise ModelError(refusal(response, self._place, prompt))
        return self._reply(prompt, response)

    def judged(self, prompt: Prompt, findings: Sequence[str]) -> None:
        """Do nothing: the next prompt says what was wrong."""

    async def _patiently(self, prompt: Prompt) -> ModelResponse:
        """Ask, and ask again after errors that pass by themselves, with longer and longer waits."""
        tried = 0
        while True:
            try:
                return await self._ask(prompt)
            except AgentRunError as error:
                tried += 1
                if not passes(error) or tried == self._patience.tries:
                    raise ModelError(told(error, self._place, prompt, tried)) from error
                await anyio.sleep(self._wait(error, tried))

    def _wait(self, error: AgentRunError, tried: int) -> float:
        asked_for = error.retry_after if isinstance(error, ModelAPIError) else None
        backoff = self._patience.first_wait * 2.0 ** (tried - 1)
        return min(max(backoff, asked_for or 0.0), self._patience.longest_wait)

    async def _ask(self, prompt: Prompt) -> ModelResponse:
        """Ask with the schema enforced; if that is refused, with the schema as a tool's."""
        if not self._model.profile.get("supports_json_schema_output", False):
            return await self._stream(prompt, _as_tool(prompt))
        try:
            return await self._stream(prompt, self._native(prompt))
        except ModelRequestRejectedError as error:
            if not is_about_the_schema(error):
                raise
        return await self._stream(prompt, _as_tool(prompt))

    async def _stream(self, prompt: Prompt, parameters: ModelRequestParameters) -> ModelResponse:
        request = ModelRequest.user_text_prompt(prompt.text, instructions=prompt.instructions)
        settings = ModelSettings(timeout=self._patience.silence, max_retries=0)
        async with model_request_stream(
            self._model, [request], model_settings=settings, model_request_parameters=parameters
        ) as stream:
            async for _ in stream:
                pass
            return stream.get()

    def _native(self, prompt: Prompt) -> ModelRequestParameters:
        schema = enforceable(prompt.schema)
        output = OutputObjectDefinition(schema, ANSWER, strict=self._place.strict)
        return ModelRequestParameters(output_mode="native", output_object=output)

    def _reply(self, prompt: Prompt, response: ModelResponse) -> ModelReply:
        usage, text = response.usage, _text(response)
        if usage.unmeasured_requests or not usage.output_tokens:
            return ModelReply.to(prompt, text)
        cost = _cost(response) if self._place.priced else None
        return ModelReply(text, usage.input_tokens, usage.output_tokens, cost)


def provider_model(
    model: str, base_url: str | None = None, patience: Patience | None = None
) -> ProviderModel:
    """Return the backend for a provider's model, or for an OpenAI-compatible endpoint.

    Args:
        model: ``anthropic:NAME``, ``openai:NAME``, or a plain name with a URL, where no key is
            sent.
        base_url: The URL to ask; None for the provider's own.
        patience: How long to wait; by default longer for one's own server.

    Raises:
        ModelError: A key is missing, or the URL is not valid.
    """
    place = place_of(model, base_url)
    return ProviderModel(place, place.model(), patience or _usual_patience(place))


def _usual_patience(place: Place) -> Patience:
    return Patience() if place.priced else OWN_SERVER


def _as_tool(prompt: Prompt) -> ModelRequestParameters:
    schema = enforceable(prompt.schema)
    tool = ToolDefinition(name=ANSWER, parameters_json_schema=schema, kind="output")
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _text(response: ModelResponse) -> str:
    """Return the answer unread; it should be JSON."""
    for part in response.parts:
        if isinstance(part, ToolCallPart) and part.args:
            return part.args if isinstance(part.args, str) else json.dumps(part.args)
    return response.text or ""


def _cost(response: ModelResponse) -> float | None:
    """Return the price in US dollars, if the price list has the model."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError):
        return None
