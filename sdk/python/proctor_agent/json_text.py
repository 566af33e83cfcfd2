"""Strict JSON in both directions: no NaN, and no nesting that recursion could not walk."""

from __future__ import annotations

import datetime
import enum
import json
import math
import os
import uuid
from typing import Any

#: Levels of nesting that are accepted: more than a real message has, and few enough for recursion.
MAX_DEPTH = 200
#: Size limit of an integer in bits: other languages cannot read larger ones, and Python refuses to print much larger ones.
_MAX_BITS = 1024


def decode(data: bytes) -> Any:
    """Parses JSON. Raises ValueError with a message that says what is wrong."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise ValueError(f"nested more than {MAX_DEPTH} deep") from None
    except _NotANumber as error:
        raise ValueError(f"not JSON: {error}") from None
    except ValueError as error:  # Python refuses integers of thousands of digits
        raise ValueError(f"not usable: {error}") from None
    if _is_too_deep(value):
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    return value


def encode(value: Any) -> bytes:
    """Writes a value as one line. The value has passed `plain`, so JSON can express it."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can express
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def plain(value: Any, path: str = "value", depth: int = 0) -> Any:
    """Returns a copy made of dict, list, str, int, float, bool and None. NaN and infinities become None, as in JavaScript."""
    if depth > MAX_DEPTH:
        raise ValueError(f"{path.partition('.')[0]} is nested more than {MAX_DEPTH} deep, or contains itself")
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, int):
        if value.bit_length() > _MAX_BITS:
            raise ValueError(f"{path} is a number of more than {_MAX_BITS} bits")
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {_key(key): plain(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, (os.PathLike, uuid.UUID)):
        return str(value)
    raise TypeError(f"{path} is a {type(value).__name__}, which JSON cannot express")


def _key(key: Any) -> str:
    if isinstance(key, enum.Enum):
        key = key.value
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    return str(key)


class _NotANumber(ValueError):
    pass


def _refuse_constant(name: str) -> Any:
    raise _NotANumber(name)


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            item
            for parent in level
            if isinstance(parent, (dict, list))
            for item in (parent.values() if isinstance(parent, dict) else parent)
        ]
        if not level:
            return False
    return True
