"""Turns HTTP errors of an endpoint into errors with a code."""

from __future__ import annotations

import email.utils
import time
from typing import Any, Mapping, Optional

from . import json_text
from .errors import LLMError

_BY_STATUS = {
    401: "authentication_error",
    402: "budget_exceeded",
    403: "permission_denied",
    404: "not_found",
    408: "timeout",
    429: "rate_limit",
}


def error_of_answer(status: int, body: bytes, headers: Mapping[str, str], model: str, provider: str) -> LLMError:
    error = _error_in(body)
    message = error.get("message")
    details = {"status": status, "model": model, "provider": provider, "type": error.get("type"), "code": error.get("code")}
    wait = retry_after_seconds(headers)
    if wait is not None:
        details["retry_after_seconds"] = wait
    text = message if isinstance(message, str) and message else f"HTTP {status}"
    return LLMError(_code_of(status, error), text, {k: v for k, v in details.items() if v is not None})


def error_in_stream(error: Any, model: str, provider: str, text: str) -> LLMError:
    """Makes the error of an endpoint that began to stream an answer and then failed. The details keep what had arrived."""
    fields = error if isinstance(error, dict) else {}
    code = fields.get("code")
    status = code if json_text.is_integer(code) and 400 <= code < 600 else 500
    message = fields.get("message")
    return LLMError(
        _code_of(status, fields),
        message if isinstance(message, str) else "the model failed while it answered",
        {"model": model, "provider": provider, "partial": text},
    )


def is_worth_retrying(error: LLMError) -> bool:
    return error.code in ("rate_limit", "server_error", "network_error")


def retry_after_seconds(headers: Mapping[str, str]) -> Optional[float]:
    """Reads how long to wait from the headers, which give milliseconds, seconds or a date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _code_of(status: int, error: Mapping[str, Any]) -> str:
    if error.get("code") in ("insufficient_quota", "budget_exceeded"):
        return "budget_exceeded"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "server_error"
    return "invalid_request" if 400 <= status < 500 else "api_error"


def _error_in(body: bytes) -> Mapping[str, Any]:
    try:
        data = json_text.loads(body.decode("utf-8", "replace"))
    except ValueError:
        return {}
    error = data.get("error") if isinstance(data, dict) else None
    return error if isinstance(error, dict) else {"message": error}


def _number(text: Optional[str]) -> Optional[float]:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None
