"""The events of one task: numbered without gaps, without secrets, one method per kind."""

from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Optional

from . import json_text
from .errors import Cancelled
from .metrics import Metrics
from .redact import Redactor
from .result import VERSION

KINDS = ("tool_call", "llm_request", "reasoning", "state_change", "artifact_created", "error", "progress")
#: A function that takes the sequence number and the encoded event.
SendEvent = Callable[[int, bytes], None]


class Emit:
    """Sends events. Fields that are None are left out; further keywords are sent as extensions. Any thread may emit."""

    def __init__(self, task_id: str, redactor: Redactor, send: SendEvent, max_bytes: int) -> None:
        self._task_id = task_id
        self._redactor = redactor
        self._send = send
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._sequence = 0
        self._closed = False
        self._metrics = Metrics()

    def __call__(self, event_type: str, payload: Dict[str, Any]) -> None:
        """Sends an event of the given type. Raises Cancelled once the response is sent, after which there are no events."""
        if event_type not in KINDS:
            raise ValueError(f"{event_type!r} is not an event: {', '.join(KINDS)}")
        given = {name: value for name, value in payload.items() if value is not None}
        plain = self._redactor.value(json_text.plain(given, event_type))
        with self._lock:
            if self._closed:
                raise Cancelled("the task has ended")
            data = json_text.encode(
                {
                    "version": VERSION,
                    "task_id": self._task_id,
                    "timestamp": _now(),
                    "sequence": self._sequence,
                    "event_type": event_type,
                    "payload": plain,
                }
            )
            if len(data) > self._max_bytes:
                raise ValueError(f"the {event_type} event has {len(data)} bytes, the limit is {self._max_bytes}")
            self._metrics.count(event_type, plain)
            self._sequence += 1
            self._send(self._sequence - 1, data)

    def tool_call(
        self,
        tool: str,
        input: Any = None,
        output: Any = None,
        duration_ms: Optional[float] = None,
        status: str = "success",
        error: Optional[str] = None,
        call_id: Optional[str] = None,
        **more: Any,
    ) -> None:
        """Reports that a tool was called. `task.tools.call` reports its own calls."""
        fields = {"tool": tool, "input": input, "output": output, "duration_ms": duration_ms}
        self("tool_call", {**fields, "status": status, "error": error, "call_id": call_id, **more})

    def llm_request(
        self,
        model: Optional[str] = None,
        input_tokens: Optional[int] = None,
        output_tokens: Optional[int] = None,
        duration_ms: Optional[float] = None,
        temperature: Optional[float] = None,
        stop_reason: Optional[str] = None,
        cost_usd: Optional[float] = None,
        **more: Any,
    ) -> None:
        """Reports that a language model was called. Tokens and cost are added to the metrics."""
        fields = {"model": model, "input_tokens": input_tokens, "output_tokens": output_tokens}
        rest = {"duration_ms": duration_ms, "temperature": temperature, "stop_reason": stop_reason}
        self("llm_request", {**fields, **rest, "cost_usd": cost_usd, **more})

    def reasoning(
        self, thought: Optional[str] = None, plan: Optional[List[str]] = None, step: Optional[str] = None, **more: Any
    ) -> None:
        self("reasoning", {"thought": thought, "plan": plan, "step": step, **more})

    def state_change(
        self,
        from_state: Optional[str] = None,
        to_state: Optional[str] = None,
        reason: Optional[str] = None,
        **more: Any,
    ) -> None:
        self("state_change", {"from_state": from_state, "to_state": to_state, "reason": reason, **more})

    def artifact_created(
        self,
        artifact_type: str = "file",
        path: Optional[str] = None,
        size_bytes: Optional[int] = None,
        **more: Any,
    ) -> None:
        self("artifact_created", {"artifact_type": artifact_type, "path": path, "size_bytes": size_bytes, **more})

    def error(
        self,
        message: str,
        error_type: Optional[str] = None,
        recoverable: Optional[bool] = None,
        retry_after_ms: Optional[int] = None,
        **more: Any,
    ) -> None:
        """Reports an error that does not end the task."""
        fields = {"error_type": error_type, "message": message, "recoverable": recoverable}
        self("error", {**fields, "retry_after_ms": retry_after_ms, **more})

    def progress(
        self,
        message: Optional[str] = None,
        percentage: Optional[float] = None,
        current_step: Optional[int] = None,
        total_steps: Optional[int] = None,
        **more: Any,
    ) -> None:
        fields = {"current_step": current_step, "total_steps": total_steps}
        self("progress", {**fields, "percentage": percentage, "message": message, **more})

    def _close(self) -> Dict[str, Any]:
        """Refuses all further events and returns the metrics."""
        with self._lock:
            self._closed = True
            return self._metrics.result()


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
