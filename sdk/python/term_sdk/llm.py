"""The model that the platform gives an agent: an OpenAI-compatible endpoint, found in the environment."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

from . import json_text
from .errors import LLMError
from .llm_functions import Functions
from .llm_http import Answer
from .llm_response import LLMResponse, assistant_message, read_completion
from .llm_retry import post_until_answered
from .llm_stats import Stats
from .llm_stream import StreamedAnswer, read_events
from .tool import FunctionCall, Tool

Messages = Sequence[Dict[str, Any]]


class LLM:
    """Reads LLM_API_URL, LLM_API_KEY, LLM_MODEL and LLM_PROVIDER. Arguments take precedence over them.

    `timeout` is how many seconds an answer, or each piece of a stream, may take. `retries` is how many times a call is
    repeated after a rate limit, a server error or a broken connection. Calls take further fields of the API by name.
    """

    def __init__(
        self,
        model: Optional[str] = None,
        *,
        default_model: Optional[str] = None,
        provider: Optional[str] = None,
        url: Optional[str] = None,
        key: Optional[str] = None,
        temperature: Optional[float] = None,
        max_tokens: Optional[int] = None,
        timeout: float = 120,
        retries: int = 3,
    ) -> None:
        self.model = model or default_model or os.environ.get("LLM_MODEL") or None
        self.provider = provider or os.environ.get("LLM_PROVIDER") or "openai"
        self.url = url or os.environ.get("LLM_API_URL") or None
        self._key = key or os.environ.get("LLM_API_KEY") or ""
        self._defaults = {"temperature": temperature, "max_tokens": max_tokens}
        self.timeout = timeout
        self.retries = retries
        self._functions = Functions()
        self._stats = Stats()

    def ask(self, prompt: str, *, system: Optional[str] = None, **options: Any) -> LLMResponse:
        return self.chat(_messages(prompt, system), **options)

    def chat(self, messages: Messages, *, tools: Optional[Sequence[Tool]] = None, **options: Any) -> LLMResponse:
        payload = self._payload(messages, tools, options)

        def read(answer: Answer) -> bytes:
            return answer.read(time.monotonic() + self.timeout)

        started = time.monotonic()
        with self._counting_errors():
            body = post_until_answered(self, payload, self._key, read)
            try:
                data = json_text.loads(body.decode("utf-8", "replace"))
            except ValueError:
                details = {"model": payload["model"], "provider": self.provider}
                raise LLMError("invalid_response", "the answer is not JSON", details) from None
            response = read_completion(data, payload["model"])
        return self._finish(response, payload, started)

    def stream(self, prompt: str, *, system: Optional[str] = None, **options: Any) -> Iterator[str]:
        """Yields the text of the answer piece by piece. Stop reading to end the call."""
        return self.chat_stream(_messages(prompt, system), **options)

    def chat_stream(self, messages: Messages, **options: Any) -> Iterator[str]:
        for _, text in self._streamed(messages, options):
            if text is not None:
                yield text

    def ask_stream(
        self,
        prompt: str,
        *,
        on_chunk: Optional[Callable[[str], Any]] = None,
        system: Optional[str] = None,
        **options: Any,
    ) -> LLMResponse:
        """Streams an answer and returns the whole of it. `on_chunk` is called with each piece; returning False ends the call."""
        pieces = self._streamed(_messages(prompt, system), options)
        response = LLMResponse(text="", model=self.model or "")
        for response, text in pieces:
            if text is not None and on_chunk is not None and on_chunk(text) is False:
                break
        pieces.close()
        return response

    def register_function(self, name: str, handler: Callable[..., Any]) -> None:
        """Registers a function that is called with the arguments by name. The model receives what it returns or raises."""
        self._functions.register(name, handler)

    def execute_function(self, call: FunctionCall) -> Any:
        return self._functions.execute(call)

    def chat_with_functions(
        self, messages: Messages, tools: Sequence[Tool], *, max_rounds: int = 10, **options: Any
    ) -> LLMResponse:
        """Calls registered functions for the model until it answers. Raises `too_many_rounds` after `max_rounds` rounds."""
        if not 1 <= max_rounds <= 10:
            raise ValueError("max_rounds is between 1 and 10")
        conversation = list(messages)
        for _ in range(max_rounds):
            response = self.chat(conversation, tools=tools, **options)
            conversation = response.messages
            if not response.has_function_calls:
                return response
            conversation += [self._functions.answer(call) for call in response.function_calls]
        self._stats.errors += 1
        details = {"rounds": max_rounds, "provider": self.provider}
        raise LLMError("too_many_rounds", f"the model still asks for functions after {max_rounds} rounds", details)

    def get_stats(self, model: Optional[str] = None) -> Dict[str, Any]:
        """Returns the statistics of one model, or of all models together."""
        return self._stats.all() if model is None else self._stats.of(model)

    @property
    def total_tokens(self) -> int:
        """Tokens of all calls so far, input and output together."""
        return self._stats.all()["total_tokens"]

    @property
    def total_cost(self) -> float:
        """Cost of all calls so far in US dollars, where the endpoint reports it."""
        return self._stats.all()["total_cost"]

    def count_retry(self) -> None:
        self._stats.retries += 1

    def _streamed(self, messages: Messages, options: Dict[str, Any]) -> Any:
        """Yields the answer so far with each new piece, and at the end the whole answer with None."""
        tools = options.pop("tools", None)
        streaming = {"stream": True, "stream_options": {"include_usage": True}}
        payload = self._payload(messages, tools, {**options, **streaming})
        streamed = StreamedAnswer(payload["model"], self.provider)
        started = time.monotonic()
        with self._counting_errors():
            answer = post_until_answered(self, payload, self._key, None)
            try:
                for text in streamed.read(read_events(answer.pieces(lambda: self.timeout))):
                    yield streamed.response, text
            except GeneratorExit:  # the caller stopped reading; the call is counted too
                self._finish(streamed.response, payload, started)
                raise
            finally:
                answer.close()
        yield self._finish(streamed.response, payload, started), None

    def _payload(self, messages: Messages, tools: Optional[Sequence[Tool]], options: Dict[str, Any]) -> Dict[str, Any]:
        model = options.get("model") or self.model
        if not model:
            raise LLMError("no_model", "no model is chosen: set LLM_MODEL, or name one")
        payload = {**self._defaults, **options, "model": model, "messages": list(messages)}
        if tools:
            payload["tools"] = [tool.to_dict() if isinstance(tool, Tool) else tool for tool in tools]
        return {name: value for name, value in payload.items() if value is not None}

    def _finish(self, response: LLMResponse, payload: Dict[str, Any], started: float) -> LLMResponse:
        response.latency_ms = round((time.monotonic() - started) * 1000)
        response.messages = [*payload["messages"], assistant_message(response)]
        self._stats.count(payload["model"], response)
        return response

    @contextmanager
    def _counting_errors(self) -> Iterator[None]:
        try:
            yield
        except LLMError:
            self._stats.errors += 1
            raise


def _messages(prompt: str, system: Optional[str]) -> List[Dict[str, Any]]:
    user = {"role": "user", "content": prompt}
    return [user] if system is None else [{"role": "system", "content": system}, user]
