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


#: Seconds by which a call that has no limit of its own may outlast its task; the task's end shuts its socket before.
_MARGIN = 5.0


class Tools:
    def __init__(
        self, task: "Task", endpoint: Optional[str], allowed: Optional[List[str]], emit: Emit, max_bytes: int
    ) -> None:
        self._task = task
        self._endpoint = endpoint
        #: None: all; an empty list: none.
        self.allowed = allowed
        self._emit = emit
        self._max_bytes = max_bytes

    def call(self, tool: str, input: Optional[Dict[str, Any]] = None, timeout_seconds: Optional[float] = None) -> Any:
        """The tool's output. Raises ToolError with a code, or Cancelled when the task is cancelled meanwhile."""
        self._task.check_cancelled()
        url = self._url(tool)
        given = json_text.plain({} if input is None else input, "input")
        call_id = str(uuid.uuid4())
        body = json_text.encode({"task_id": self._task.id, "input": given, "call_id": call_id})
        remaining = self._task.remaining_seconds
        # The task's own time is up first: then it is the task that took too long, not the tool.
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
        """The same for `async def` agents."""
        return await asyncio.get_running_loop().run_in_executor(None, self.call, tool, input, timeout_seconds)

    def _url(self, tool: str) -> str:
        """Where to call it. A call that may not be made is not made, and so not reported either."""
        details: Dict[str, Any] = {"tool": tool}
        if self.allowed is not None:
            details["available_tools"] = list(self.allowed)
            if tool not in self.allowed:
                raise ToolError("TOOL_NOT_FOUND", tool, f"the tool {tool} is not allowed for this task", details)
        if self._endpoint is None:
            raise ToolError("TOOL_NOT_FOUND", tool, "the task has no tools endpoint", details)
        if tool in ("", ".", ".."):  # no names in a URL
            raise ToolError("TOOL_NOT_FOUND", tool, f"there is no tool {tool!r}", details)
        parts = urlsplit(self._endpoint)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{quote(tool, safe='')}", fragment=""))

    def _report(self, tool: str, given: Any, outcome: Dict[str, Any]) -> None:
        try:
            self._emit.tool_call(tool, input=given, **outcome)
        except ValueError:  # larger than an event may be: the call happened all the same
            outcome.pop("output", None)
            self._emit.tool_call(tool, **outcome, omitted=["input", "output"])


def _output(tool: str, status: int, data: bytes) -> Any:
    """Appendix "Tool Protocol"."""
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
