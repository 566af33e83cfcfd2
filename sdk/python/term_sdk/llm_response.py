"""Reads what a model answered from a chat completion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from . import json_text
from .errors import LLMError
from .model_text import first_object
from .tool import FunctionCall


@dataclass
class LLMResponse:
    text: str
    model: str
    #: Number of tokens, input and output together.
    tokens: int = 0
    #: Cost in US dollars as the endpoint reports it; 0 when it does not.
    cost: float = 0.0
    latency_ms: int = 0
    function_calls: List[FunctionCall] = field(default_factory=list)
    raw: Optional[Dict[str, Any]] = None
    input_tokens: int = 0
    output_tokens: int = 0
    finish_reason: Optional[str] = None
    #: The conversation, which ends with this answer and can be continued.
    messages: List[Dict[str, Any]] = field(default_factory=list)

    @property
    def has_function_calls(self) -> bool:
        return bool(self.function_calls)

    def json(self) -> Any:
        """Returns the first JSON object in the text; None when there is none."""
        return first_object(self.text)


def read_completion(data: Any, model: str) -> LLMResponse:
    """Reads the body of an answer. `model` is the requested model, which is reported when the answer names none."""
    try:
        choice = data["choices"][0]
        message = choice["message"]
        text = _text_of(message.get("content"))
        calls = [_call_of(call) for call in message.get("tool_calls") or []]
    except (AttributeError, IndexError, KeyError, TypeError):
        raise LLMError("invalid_response", "the answer is no chat completion", {"model": model}) from None
    response = LLMResponse(text=text, model=_str_or(data.get("model"), model), function_calls=calls, raw=data)
    response.finish_reason = choice.get("finish_reason")
    add_usage(response, data.get("usage"))
    return response


def add_usage(response: LLMResponse, usage: Any) -> None:
    if not isinstance(usage, dict):
        return
    response.input_tokens = _count(usage.get("prompt_tokens"))
    response.output_tokens = _count(usage.get("completion_tokens"))
    response.tokens = response.input_tokens + response.output_tokens
    cost = usage.get("cost")
    if isinstance(cost, (int, float)) and not isinstance(cost, bool):
        response.cost = float(cost)


def assistant_message(response: LLMResponse) -> Dict[str, Any]:
    """Returns the answer as a message of the conversation, which goes back to the model."""
    message: Dict[str, Any] = {"role": "assistant", "content": response.text or None}
    if response.function_calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
            for call in response.function_calls
        ]
    else:
        message["content"] = response.text
    return message


def function_call(name: str, text: str, id: Optional[str]) -> FunctionCall:
    try:
        arguments = json_text.loads(text or "{}")
    except ValueError:
        arguments = None
    return FunctionCall(name, arguments if isinstance(arguments, dict) else None, id, text)


def _call_of(call: Dict[str, Any]) -> FunctionCall:
    function = call["function"]
    return function_call(_str_or(function["name"], ""), _str_or(function.get("arguments"), ""), call.get("id"))


def _text_of(content: Any) -> str:
    """Reads the text of a message, which some endpoints send in parts."""
    if isinstance(content, list):
        return "".join(_str_or(part.get("text"), "") for part in content)
    if content is None or isinstance(content, str):
        return content or ""
    raise TypeError


def _str_or(value: Any, otherwise: str) -> str:
    return value if isinstance(value, str) else otherwise


def _count(value: Any) -> int:
    return int(value) if json_text.is_integer(value) and value >= 0 else 0
