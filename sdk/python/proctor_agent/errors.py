"""The errors that agents raise, and the refusal of a request that never became a task."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple


class AgentError(Exception):
    """Ends the task as `failed` with this code, message and details."""

    def __init__(self, code: str, message: str, details: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class ToolError(AgentError):
    """A tool call failed. `code` is TOOL_NOT_FOUND, TOOL_ERROR, or the code that the tool answered."""

    def __init__(self, code: str, tool: str, message: str, details: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(code, message, {"tool": tool} if details is None else details)
        self.tool = tool


class Cancelled(BaseException):
    """The task was cancelled or ran out of time. Not an Exception, so that `except Exception` does not swallow it."""


class Refusal(Exception):
    """A request is refused. Says what to answer, and with which HTTP status."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str = "INVALID_REQUEST",
        details: Optional[Dict[str, Any]] = None,
        task_id: Optional[str] = None,
        headers: Sequence[Tuple[str, str]] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details = details
        self.task_id = task_id
        self.headers = headers
