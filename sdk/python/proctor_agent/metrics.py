"""Counts what a task did by its events, in the same way as the platform."""

from __future__ import annotations

import math
import time
from typing import Any, Dict, Set

_STARTED = {"started", "running", "pending"}


class Metrics:
    """Has no lock, because the emitter counts under its own."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._open_calls: Set[str] = set()
        self._counts: Dict[str, Any] = dict.fromkeys(
            ("total_tokens", "input_tokens", "output_tokens", "total_steps", "tool_calls", "llm_calls"), 0
        )

    def count(self, kind: str, payload: Dict[str, Any]) -> None:
        counts = self._counts
        if kind == "tool_call":
            counts["tool_calls"] += self._is_new_call(payload)
        elif kind == "llm_request":
            read, written = amount(payload.get("input_tokens")), amount(payload.get("output_tokens"))
            counts["llm_calls"] += 1
            counts["input_tokens"] += int(read)
            counts["output_tokens"] += int(written)
            counts["total_tokens"] += int(read) + int(written)
            cost = amount(payload.get("cost_usd"))
            if cost > 0:
                counts["cost_usd"] = counts.get("cost_usd", 0.0) + cost
        step = amount(payload.get("current_step")) if kind == "progress" else 0
        counts["total_steps"] = max(counts["total_steps"], int(step), counts["tool_calls"], counts["llm_calls"])

    def result(self) -> Dict[str, Any]:
        return {**self._counts, "wall_time_seconds": round(time.monotonic() - self._started, 3)}

    def _is_new_call(self, payload: Dict[str, Any]) -> bool:
        """Whether the call is a new one. A start and an end with the same `call_id` are one call."""
        call = payload.get("call_id")
        started = payload.get("status") in _STARTED
        if not isinstance(call, str):
            return True
        if call in self._open_calls:
            if not started:
                self._open_calls.discard(call)
            return False
        if started:
            self._open_calls.add(call)
        return True


def amount(value: Any) -> float:
    """Returns a count that an agent reported. Anything but a finite number above zero is 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0
    return value if value > 0 and (isinstance(value, int) or math.isfinite(value)) else 0
