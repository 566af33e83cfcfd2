"""What a function may return, and how it becomes a response."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Sequence

from . import json_text
from .artifacts import Artifact, redacted
from .errors import AgentError, Refusal
from .redact import Redactor
from .request import NO_TASK_ID

VERSION = "1.0"
STATUSES = ("completed", "failed", "timeout", "cancelled", "partial")
_REQUIRED = {"file": {"path": str}, "structured": {"name": str, "data": dict}, "reference": {"path": str}}
_OPTIONAL = {"content_type": str, "size_bytes": int, "content_hash": str, "content": str, "schema": str}
_INTEGERS = ("total_tokens", "input_tokens", "output_tokens", "total_steps", "tool_calls", "llm_calls")


@dataclass
class Result:
    """A complete result. Fields that are left out are filled in; `metrics` replace those counted from events."""

    artifacts: Sequence[Mapping[str, Any]] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)
    status: str = "completed"
    error: Optional[str] = None
    error_code: Optional[str] = None
    error_details: Optional[Mapping[str, Any]] = None
    trace_id: Optional[str] = None


def result_of(value: Any) -> Result:
    """Makes a Result of what a function returned: None, an artifact, a list of artifacts, a Result, or any JSON value."""
    if isinstance(value, Result):
        return value
    if value is None:
        return Result()
    if isinstance(value, Artifact):
        return Result(artifacts=[value])
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, Artifact) for item in value):
        return Result(artifacts=list(value))
    data = value if isinstance(value, dict) else {"output": value}
    return Result(artifacts=[{"type": "structured", "name": "result", "data": data}])


def failed(error: AgentError) -> Result:
    return Result(status="failed", error=error.message, error_code=error.code, error_details=error.details)


def response_of(task_id: str, result: Result, counted: Dict[str, Any], redactor: Redactor) -> Dict[str, Any]:
    """Makes a strict ATP response. Raises TypeError or ValueError when the result cannot become one."""
    if result.status not in STATUSES:
        raise ValueError(f"status is {result.status!r}, not one of {', '.join(STATUSES)}")
    artifacts = [_checked(item, f"artifacts[{index}]") for index, item in enumerate(result.artifacts)]
    response: Dict[str, Any] = {
        "version": VERSION,
        "task_id": task_id,
        "status": result.status,
        "artifacts": [redacted(artifact, redactor) for artifact in artifacts],
        "metrics": {**counted, **redactor.value(_checked_metrics(result.metrics))},
        "error": None,
    }
    error = result.error or ("the agent failed" if result.status == "failed" else None)
    if error is not None:
        response["error"] = redactor.text(str(error))
    if result.error_code is not None:
        response["error_code"] = redactor.text(str(result.error_code))
    if result.error_details is not None:
        response["error_details"] = redactor.value(json_text.plain(dict(result.error_details), "error_details"))
    if result.trace_id is not None:
        response["trace_id"] = redactor.text(str(result.trace_id))
    return response


def refused(refusal: Refusal) -> Dict[str, Any]:
    """Makes the response to a request that did not become a task."""
    response: Dict[str, Any] = {
        "version": VERSION,
        "task_id": refusal.task_id or NO_TASK_ID,
        "status": "failed",
        "artifacts": [],
        "metrics": {**dict.fromkeys(_INTEGERS, 0), "wall_time_seconds": 0},
        "error": refusal.message,
        "error_code": refusal.code,
    }
    if refusal.details is not None:
        response["error_details"] = refusal.details
    return response


def _checked(artifact: Any, path: str) -> Dict[str, Any]:
    plain = json_text.plain(artifact, path)
    if not isinstance(plain, dict) or plain.get("type") not in _REQUIRED:
        raise ValueError(f"{path} is not an artifact: make it with file(), structured() or reference()")
    required = _REQUIRED[plain["type"]]
    present = {name: kind for name, kind in _OPTIONAL.items() if name in plain}
    for name, kind in {**required, **present}.items():
        if not isinstance(plain.get(name), kind):
            raise ValueError(f"{path}.{name} must be a {kind.__name__}")
    return plain


def _checked_metrics(metrics: Mapping[str, Any]) -> Dict[str, Any]:
    plain: Dict[str, Any] = {}
    for name, value in json_text.plain(dict(metrics), "metrics").items():
        if value is None:
            continue
        if name in _INTEGERS and isinstance(value, float) and value.is_integer():
            value = int(value)
        kind = int if name in _INTEGERS else (int, float)
        known = name in _INTEGERS or name in ("wall_time_seconds", "cost_usd")
        if known and (isinstance(value, bool) or not isinstance(value, kind)):
            raise ValueError(f"metrics.{name} must be a number{' without fraction' if name in _INTEGERS else ''}")
        plain[name] = value
    return plain
