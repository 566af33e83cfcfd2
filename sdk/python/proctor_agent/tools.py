"""Calls the tools that the platform offers to a task, and reports each call."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import TYPE_CHECKING, Any, Dict, List, Optional
from urllib.parse import quote, urlsplit, urlunsplit

from . import json_text
from .emit import Emit
from .errors import ToolError
from .tool_request import post

if TYPE_CHECKING:
    from .task import Task


#: Seconds that are added to the time limit of a call without one of its own, so that the task times out before the call does.
_MARGIN = 5.0


class Tools:
    def __init__(
        self, task: "Task", endpoint: Optional[str], allowed: Optional[List[str]], emit: Emit, max_bytes: int
    ) -> None:
        self._task = task
        self._endpoint = endpoint
        #: Names of the tools that may be called; None when all may be.
        self.allowed = allowed
        self._emit = emit
        self._max_bytes = max_bytes

    def call(self, tool: str, input: Optional[Dict[str, Any]] = None, timeout_seconds: Optional[float] = None) -> Any:
        """Returns the tool's output. Raises ToolError with a code, or Cancelled when the task is cancelled meanwhile."""
        self._task.check_cancelled()
        url = self._url(tool)
        given = json_text.plain({} if input is None else input, "input")
        call_id = str(uuid.uuid4())
        body = json_text.encode({"task_id": self._task.id, "input": given, "call_id": call_id})
        remaining = self._task.remaining_seconds
        # When the task's own time is up first, the task took too long and not the tool.
        seconds = timeout_seconds if timeout_seconds is not None and timeout_seconds < remaining else remaining + _MARGIN
        started = time.monotonic()
        outcome: Dict[str, Any] = {"status": "error", "error": "cancelled"}
        try:
            status, data = post(self._task, tool, url, body, seconds, self._max_bytes)
            output = _output(tool, status, data)
            outcome = {"status": "success", "output": output}
            return output
        except ToolError as error:
            outcome = {"status": "error", "error": error.message, "error_code": error.code}
            raise
        finally:
            outcome.update(duration_ms=round((time.monotonic() - started) * 1000), call_id=call_id)
            self._report(tool, given, outcome)

    async def call_async(
        self, tool: str, input: Optional[Dict[str, Any]] = None, timeout_seconds: Optional[float] = None
    ) -> Any:
        """Does the same for `async def` agents."""
        return await asyncio.get_running_loop().run_in_executor(None, self.call, tool, input, timeout_seconds)

    def _url(self, tool: str) -> str:
        """Returns the URL of a tool. A call that is refused here was not made, so it is not reported either."""
        details: Dict[str, Any] = {"tool": tool}
        if self.allowed is not None:
            details["available_tools"] = list(self.allowed)
            if tool not in self.allowed:
                raise ToolError("TOOL_NOT_FOUND", tool, f"the tool {tool} is not allowed for this task", details)
        if self._endpoint is None:
            raise ToolError("TOOL_NOT_FOUND", tool, "the task has no tools endpoint", details)
        if tool in ("", ".", ".."):  # a URL cannot have these as the name of a path segment
            raise ToolError("TOOL_NOT_FOUND", tool, f"there is no tool {tool!r}", details)
        parts = urlsplit(self._endpoint)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{quote(tool, safe='')}", fragment=""))

    def _report(self, tool: str, given: Any, outcome: Dict[str, Any]) -> None:
        try:
            self._emit.tool_call(tool, input=given, **outcome)
        except ValueError:  # the event would be too large, but the call must be reported
            outcome.pop("output", None)
            self._emit.tool_call(tool, **outcome, omitted=["input", "output"])


def _output(tool: str, status: int, data: bytes) -> Any:
    """Reads the answer of a tool as the document's appendix "Tool Protocol" defines it."""
    try:
        answer = json_text.decode(data)
    except ValueError:
        answer = None
    fields: Dict[str, Any] = answer if isinstance(answer, dict) else {}
    if status < 400 and fields.get("status") == "success":
        return fields.get("output")
    code, message, details = (fields.get(name) for name in ("error_code", "error", "error_details"))
    if not isinstance(code, str):
        code = "TOOL_NOT_FOUND" if status == 404 else "TOOL_ERROR"
    if not isinstance(message, str):
        message = f"the tool {tool} answered {status} and nothing that can be understood"
    raise ToolError(code, tool, message, details if isinstance(details, dict) else None)
