"""Replaces the values of `context.environment`, in every usual encoding, in everything that leaves the agent."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, Set, Tuple

from .redact_spelling import Finder, finders
from .redact_views import Views

#: Length of the shortest value that is hidden: a shorter one cannot be told from ordinary text.
_MIN_LENGTH = 4
#: Length from which lines and JSON strings inside a value are hidden on their own.
_MIN_PART_LENGTH = 8
#: Length of the shortest secret that is also hidden where it appears as a number.
_MIN_NUMBER_LENGTH = 6
_ORDINARY_WORDS = {"true", "false", "null", "none"}
_PEM_BOUNDARY = re.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]+-----")
_SHOWN_NAME = re.compile(r"[\w.-]{1,128}", re.ASCII)


class Redactor:
    """Hides the secrets of one environment. Threads may share it: the markers that it caches are the same for all."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        hidden = _hidden_texts(environment)
        self._finders: List[Tuple[str, Finder]] = [
            (name, finder) for text, name in hidden.items() for finder in finders(text)
        ]
        self._numbers = {text: name for text, name in hidden.items() if len(text) >= _MIN_NUMBER_LENGTH}
        self._markers: Dict[str, str] = {}

    def text(self, text: str) -> str:
        """Replaces every occurrence by `[redacted:NAME]`. Overlapping ones become one."""
        found = self._find(text)
        if not found:
            return text
        found.sort(key=lambda region: (region[0], -region[1]))
        pieces: List[str] = []
        covered = 0
        for start, end, name in found:
            if start >= covered:
                pieces += [text[covered:start], self._marker(name)]
            covered = max(covered, end)
        pieces.append(text[covered:])
        return "".join(pieces)

    def data(self, data: bytes) -> bytes:
        """Does the same for content of any kind. It is read as UTF-8 where possible, otherwise as one character per byte."""
        try:
            return self.text(data.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            return self.text(data.decode("latin-1")).encode("latin-1")

    def value(self, value: Any) -> Any:
        """Does the same for a JSON value, including its keys."""
        if not self._finders:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            name = self._numbers.get(json.dumps(abs(value)))
            return value if name is None else self._marker(name)
        return value

    def _object(self, value: Dict[str, Any]) -> Dict[str, Any]:
        result: Dict[str, Any] = {}
        for key, item in value.items():
            shown = unique = self.text(key)
            count = 2
            # Two hidden keys must stay two, or a value would be lost.
            while unique in result or (unique != key and unique in value):
                unique = f"{shown}~{count}"
                count += 1
            result[unique] = self.value(item)
        return result

    def _find(self, text: str) -> List[Tuple[int, int, str]]:
        views = Views(text)
        return [(start, end, name) for name, finder in self._finders for start, end in finder(views)]

    def _marker(self, name: str) -> str:
        """Returns a marker in which no secret is found. The last candidate is too short to hold one."""
        known = self._markers.get(name)
        if known is None:
            named = [f"[redacted:{name}]"] if _SHOWN_NAME.fullmatch(name) else []
            candidates = [*named, "[redacted]", "<hidden>"]
            known = next((candidate for candidate in candidates if not self._find(candidate)), "***")
            self._markers[name] = known
        return known


def _hidden_texts(environment: Mapping[str, str]) -> Dict[str, str]:
    names: Dict[str, str] = {}
    for name, value in environment.items():
        for text in [value.strip(), *_parts(value)]:
            if len(text) >= _MIN_LENGTH and text.lower() not in _ORDINARY_WORDS:
                names.setdefault(text, name)
    return names


def _parts(value: str) -> Set[str]:
    """Returns the parts that an agent may take out of a value: the lines of a key, the strings of a JSON document."""
    lines = {line.strip() for text in [value, *_json_strings(value)] for line in text.splitlines()}
    return {line for line in lines if len(line) >= _MIN_PART_LENGTH and not _PEM_BOUNDARY.fullmatch(line)}


def _json_strings(value: str) -> List[str]:
    if not value.lstrip().startswith(("{", "[")):
        return []
    try:
        waiting = [json.loads(value)]
    except (ValueError, RecursionError):
        return []
    found: List[str] = []
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return found
