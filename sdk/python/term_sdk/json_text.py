"""JSON as other languages read it: no NaN, no Infinity, and one line of ASCII, so that any text arrives unchanged."""

from __future__ import annotations

import json
from typing import Any


def refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def loads(text: str) -> Any:
    """Parses JSON. Raises ValueError for everything that is not JSON."""
    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise ValueError("too deeply nested") from None


def dumps(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def is_integer(value: Any) -> bool:
    """Whether a value is an integer in JSON, where 1.0 is the same number as 1. True is not a number."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def excerpt(text: str, size: int = 200) -> str:
    """Quotes the first `size` characters of a text, for messages."""
    return repr(text if len(text) <= size else text[:size] + "…")
