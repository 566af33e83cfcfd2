"""One answer to the harness: a command, a text, or that the task is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Union

from . import json_text
from .errors import ResponseError
from .llm_response import LLMResponse
from .model_text import find_answer


@dataclass
class Response:
    command: Optional[str] = None
    text: Optional[str] = None
    task_complete: bool = False
    #: Any JSON value, which the harness puts into its log.
    data: Any = None
    #: Further fields, sent as they are. `commands` here, without a `command`, makes the legacy form.
    extra: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def cmd(cls, command: str, text: Optional[str] = None) -> "Response":
        """Asks the harness to run a command."""
        return cls(command=command, text=text)

    @classmethod
    def say(cls, text: str) -> "Response":
        """Runs nothing and continues with the next step. The harness accepts only a few of these in a row."""
        return cls(text=text)

    @classmethod
    def done(cls, text: Optional[str] = None) -> "Response":
        """Says that the task is finished."""
        return cls(text=text, task_complete=True)

    @classmethod
    def from_llm(cls, text: Union[str, LLMResponse]) -> "Response":
        """Takes the first answer from a model's text: JSON, bare or in a fenced block, in new or legacy form.

        Raises ResponseError when there is none.
        """
        fields = find_answer(text.text if isinstance(text, LLMResponse) else text)
        response = cls(
            command=fields.pop("command", None),
            text=fields.pop("text", None),
            task_complete=fields.pop("task_complete", False),
            data=fields.pop("data", None),
            extra=fields,
        )
        response.to_json()
        return response

    def with_text(self, text: str) -> "Response":
        self.text = text
        return self

    def with_data(self, data: Any) -> "Response":
        self.data = data
        return self

    def complete(self) -> "Response":
        """Marks the task as finished once the command, if there is one, has run."""
        self.task_complete = True
        return self

    def to_dict(self) -> Dict[str, Any]:
        self._check()
        legacy = self.command is None and "commands" in self.extra
        fields: Dict[str, Any] = {} if legacy else {"command": self.command}
        fields["task_complete"] = self.task_complete
        if self.text is not None:
            fields["text"] = self.text
        if self.data is not None:
            fields["data"] = self.data
        return {**self.extra, **fields}

    def to_json(self) -> str:
        """Returns the line to send, without its line break."""
        try:
            return json_text.dumps(self.to_dict())
        except ResponseError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise ResponseError(f"the response cannot be written as JSON: {error}") from None

    def _check(self) -> None:
        for name in ("command", "text"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ResponseError(f"the response's {name} is not a string: {value!r:.200}")
        if not isinstance(self.task_complete, bool):
            raise ResponseError(f"the response's task_complete is not a boolean: {self.task_complete!r:.200}")
