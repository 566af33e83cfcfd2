"""Secrets never leave: the values of `context.environment` are replaced wherever they would, in every usual encoding."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, Set, Tuple

from .redact_spelling import Finder, finders
from .redact_views import Views

#: Anything shorter cannot be told from ordinary text.
_MIN_LENGTH = 4
#: Lines and JSON strings inside a value are secrets of their own from this length on.
_MIN_PART_LENGTH = 8
#: A number is hidden when it equals a secret of at least this length.
_MIN_NUMBER_LENGTH = 6
_ORDINARY_WORDS = {"true", "false", "null", "none"}
_PEM_BOUNDARY = re.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]+-----")
_SHOWN_NAME = re.compile(r"[\w.-]{1,128}", re.ASCII)


class Redactor:
    """Threads may share one: what it remembers is the same for all."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        hidden = _hidden_texts(environment)
        self._finders: List[Tuple[str, Finder]] = [
            (name, finder) for text, name in hidden.items() for finder in finders(text)
        ]
        self._numbers = {text: name for text, name in hidden.items() if len(text) >= _MIN_NUMBER_LENGTH}
        self._markers: Dict[str, str] = {}

    def text(self, text: str) -> str:
        """Every occurrence becomes `[redacted:NAME]`; overlapping ones become one."""
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
        """The same for content of any kind; UTF-8 where it is that, otherwise one character per byte."""
        try:
            return self.text(data.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            return self.text(data.decode("latin-1")).encode("latin-1")

    def value(self, value: Any) -> Any:
        """The same for a JSON value, keys included; unchanged parts are shared."""
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
            # Two hidden keys must not become one, or a value would be lost.
            while unique in result or (unique != key and unique in value):
                unique = f"{shown}~{count}"
                count += 1
            result[unique] = self.value(item)
        return result

    def _find(self, text: str) -> List[Tuple[int, int, str]]:
        views = Views(text)
        return [(start, end, name) for name, finder in self._finders for start, end in finder(views)]

    def _marker(self, name: str) -> str:
        """Never itself a place where a secret would be found; the last is too short to be."""
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
    """What may be shown piece by piece: the lines of a key, the strings of a JSON document."""
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
