"""The functions that an agent offers to its model."""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict

from . import json_text
from .errors import LLMError
from .tool import FunctionCall


class Functions:
    def __init__(self) -> None:
        self._handlers: Dict[str, Callable[..., Any]] = {}

    def register(self, name: str, handler: Callable[..., Any]) -> None:
        self._handlers[name] = handler

    def execute(self, call: FunctionCall) -> Any:
        handler = self._handlers.get(call.name)
        if handler is None:
            known = ", ".join(sorted(self._handlers)) or "none"
            raise LLMError("unknown_function", f"there is no function {call.name}; there are: {known}")
        if call.arguments is None:
            raise LLMError("invalid_arguments", f"the arguments of {call.name} are not a JSON object")
        return handler(**call.arguments)

    def answer(self, call: FunctionCall) -> Dict[str, Any]:
        """Returns the message for the model. It includes a failure, because the model may know another way."""
        try:
            result = self.execute(call)
            content = result if isinstance(result, str) else json_text.dumps(result)
        except Exception as error:
            print(f"term_sdk: the function {call.name} failed: {error}", file=sys.stderr, flush=True)
            content = f"error: {error.message if isinstance(error, LLMError) else error}"
        return {"role": "tool", "tool_call_id": call.id, "content": content}
