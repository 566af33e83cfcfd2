"""The errors that this package raises."""

from __future__ import annotations

from typing import Any, Dict, Optional


class RequestError(ValueError):
    """The harness sent a line that is not a request."""


class ResponseError(ValueError):
    """There is no valid answer for the harness: a model's text holds none, or a field has a wrong type."""


class LLMError(Exception):
    """The model did not answer. Programs tell the cases apart by `code`."""

    def __init__(self, code: str, message: str, details: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = {} if details is None else details

    @property
    def status(self) -> Optional[int]:
        """Status of the HTTP answer; None when no answer arrived."""
        return self.details.get("status")

    def to_dict(self) -> Dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, "details": self.details}}

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
