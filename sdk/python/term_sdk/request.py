"""One request of the harness: the instruction, and what the last command did."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Pattern, Union

from . import json_text
from .errors import RequestError

_NAMES = ("instruction", "step", "last_command", "output", "exit_code", "cwd")


@dataclass(frozen=True)
class Request:
    instruction: str
    step: int
    last_command: Optional[str] = None
    output: Optional[str] = None
    exit_code: Optional[int] = None
    #: Working directory of the terminal; empty when the harness does not say.
    cwd: str = ""
    #: Fields that the protocol does not name, as they arrived.
    extra: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, data: Union[str, bytes, Mapping[str, Any]]) -> "Request":
        """Reads a request from a line or from its parsed JSON. An absent field is the same as null; unknown ones are kept."""
        fields = _read(data)
        return cls(
            instruction=_text(fields, "instruction", required=True),
            step=_integer(fields, "step", required=True),
            last_command=_text(fields, "last_command"),
            output=_text(fields, "output"),
            exit_code=_integer(fields, "exit_code"),
            cwd=_text(fields, "cwd") or "",
            extra={name: value for name, value in fields.items() if name not in _NAMES},
        )

    @property
    def first(self) -> bool:
        return self.step == 1

    @property
    def ok(self) -> bool:
        """Whether the last command ended with exit code 0."""
        return self.exit_code == 0

    @property
    def failed(self) -> bool:
        """Whether the last command ended with another exit code. Before the first command, `ok` and `failed` are both false."""
        return self.exit_code is not None and self.exit_code != 0

    def has(self, *patterns: str) -> bool:
        """Whether the output contains one of these texts, in upper or lower case."""
        output = (self.output or "").lower()
        return self.output is not None and any(pattern.lower() in output for pattern in patterns)

    def match(self, pattern: Union[str, Pattern[str]]) -> "Optional[re.Match[str]]":
        """Returns the first match of a regular expression in the output."""
        return None if self.output is None else re.search(pattern, self.output)


def _read(data: Union[str, bytes, Mapping[str, Any]]) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    try:
        fields = json_text.loads(text)
    except ValueError as error:
        raise RequestError(f"the request is not JSON ({error}): {json_text.excerpt(text)}") from None
    if not isinstance(fields, dict):
        raise RequestError(f"the request is not a JSON object: {json_text.excerpt(text)}")
    return fields


def _text(fields: Mapping[str, Any], name: str, required: bool = False) -> Any:
    value = fields.get(name)
    if isinstance(value, str) or (value is None and not required):
        return value
    raise RequestError(_wrong(name, "a string", value))


def _integer(fields: Mapping[str, Any], name: str, required: bool = False) -> Any:
    value = fields.get(name)
    if value is None and not required:
        return None
    if json_text.is_integer(value):
        return int(value)
    raise RequestError(_wrong(name, "an integer", value))


def _wrong(name: str, kind: str, value: Any) -> str:
    return f"the request has no {name}" if value is None else f"the request's {name} is not {kind}"
