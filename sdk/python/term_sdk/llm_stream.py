"""Reads a streamed chat completion: server-sent events, however the bytes are cut, joined to one answer."""

from __future__ import annotations

import codecs
from typing import Any, Dict, Iterable, Iterator, List

from . import json_text
from .errors import LLMError
from .llm_errors import error_in_stream
from .llm_response import LLMResponse, add_usage, function_call

_MAX_EVENT_CHARS = 16 * 1024 * 1024


def read_events(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yields the data of each event."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    data: List[str] = []
    for piece in pieces:
        rest += decoder.decode(piece)
        *lines, rest = rest.replace("\r\n", "\n").split("\n")
        if len(rest) > _MAX_EVENT_CHARS:
            raise LLMError("invalid_response", "an event of the stream is too large")
        for line in lines:
            if line == "" and data:
                yield "\n".join(data)
                data = []
            elif line.startswith("data:"):
                data.append(line[5:].lstrip(" "))
    if rest.startswith("data:"):
        data.append(rest[5:].strip())
    if data:
        yield "\n".join(data)


class StreamedAnswer:
    """Collects the pieces. `response` is the answer so far."""

    def __init__(self, model: str, provider: str) -> None:
        self.response = LLMResponse(text="", model=model)
        self._provider = provider
        self._calls: Dict[int, Dict[str, str]] = {}
        self._ended = False

    def read(self, events: Iterable[str]) -> Iterator[str]:
        """Yields the text piece by piece. Raises `network_error` when the stream ends before the answer does."""
        try:
            for data in events:
                if data == "[DONE]":
                    self._ended = True
                    break
                text = self._take(data)
                if text:
                    self.response.text += text
                    yield text
        except LLMError as error:
            error.details.setdefault("partial", self.response.text)
            raise
        if not self._ended:
            raise LLMError("network_error", "the stream ended before the answer did", {"partial": self.response.text})
        self.response.function_calls = [
            function_call(call["name"], call["arguments"], call["id"] or None) for _, call in sorted(self._calls.items())
        ]

    def _take(self, data: str) -> str:
        try:
            chunk = json_text.loads(data)
            if chunk.get("error") is not None:
                raise error_in_stream(chunk["error"], self.response.model, self._provider, self.response.text)
            if isinstance(chunk.get("model"), str):
                self.response.model = chunk["model"]
            add_usage(self.response, chunk.get("usage"))
            for choice in (chunk.get("choices") or [])[:1]:
                return self._choose(choice)
            return ""
        except (AttributeError, KeyError, TypeError, ValueError):
            raise LLMError("invalid_response", f"an event of the stream is no chunk: {json_text.excerpt(data)}") from None

    def _choose(self, choice: Dict[str, Any]) -> str:
        if choice.get("finish_reason") is not None:
            self.response.finish_reason = choice["finish_reason"]
            self._ended = True
        delta = choice.get("delta") or {}
        for part in delta.get("tool_calls") or []:
            call = self._calls.setdefault(int(part.get("index", 0)), {"id": "", "name": "", "arguments": ""})
            function = part.get("function") or {}
            call["id"] = call["id"] or part.get("id") or ""
            call["name"] += function.get("name") or ""
            call["arguments"] += function.get("arguments") or ""
        return delta.get("content") or ""
