"""Finds the answer in what a model wrote. Around it there may be prose, a fenced block, or further answers it imagined."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, Optional

from .errors import ResponseError
from .json_text import excerpt, refuse

_MARKS = ("command", "commands", "task_complete", "is_task_complete")
# Models write unescaped line breaks into strings; `strict=False` accepts them.
_DECODER = json.JSONDecoder(strict=False, parse_constant=refuse)
_BEGIN = re.compile(r'\{(?=\s*["}])')
_TOKEN = re.compile(r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[{}]')


def find_answer(text: str) -> Dict[str, Any]:
    """Returns the fields of the first answer, because later ones were written without seeing its output.

    `is_task_complete` gets its new name.
    """
    if not isinstance(text, str):
        raise ResponseError(f"a model's text is needed, not {type(text).__name__}")
    for found in _objects(text):
        if any(mark in found for mark in _MARKS):
            return _checked(found)
    raise ResponseError(f"the model's text holds no answer (JSON with `command` and `task_complete`): {excerpt(text)}")


def first_object(text: str) -> Optional[Dict[str, Any]]:
    return next(_objects(text), None)


def _objects(text: str) -> Iterator[Dict[str, Any]]:
    """Yields the outermost objects. Nothing inside a broken one is taken for an answer, because it may be half of one."""
    begin = _BEGIN.search(text)
    while begin is not None:
        end = _end_of(text, begin.start())
        if end is None:
            return
        try:
            yield _DECODER.decode(text[begin.start() : end])
        except (ValueError, RecursionError):
            pass
        begin = _BEGIN.search(text, end)


def _end_of(text: str, start: int) -> Optional[int]:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token.group(), 0)
        if depth == 0:
            return token.end()
    return None


def _checked(fields: Dict[str, Any]) -> Dict[str, Any]:
    if "is_task_complete" in fields:
        fields.setdefault("task_complete", fields["is_task_complete"])
        del fields["is_task_complete"]
    if fields.get("task_complete") is None:
        fields["task_complete"] = False
    if fields.get("command") is None and "commands" in fields:
        commands = fields["commands"]
        if not isinstance(commands, list) or not all(map(_is_typed, commands)):
            raise ResponseError("the model's `commands` is not a list of {keystrokes, duration}")
    return fields


def _is_typed(command: Any) -> bool:
    if not isinstance(command, dict) or not isinstance(command.get("keystrokes"), str):
        return False
    duration = command.get("duration")
    return duration is None or (isinstance(duration, (int, float)) and not isinstance(duration, bool))
