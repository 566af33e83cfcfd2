"""The task as a function sees it: the request, the tools, and whether it was cancelled."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Dict, List, Optional

from .emit import Emit
from .errors import Cancelled
from .request import DEFAULT_TIMEOUT_SECONDS, Request, environment_of, timeout_of
from .tools import Tools


class Task:
    """A task to read from. Only `cancelled` changes while it runs."""

    def __init__(self, request: Request, emit: Emit, max_bytes: int) -> None:
        asked = request["task"]
        context = request.get("context", {})
        constraints = request.get("constraints", {})
        #: The request as it arrived, including fields of later versions.
        self.request: Request = request
        self.id: str = request["task_id"]
        self.description: str = asked["description"]
        self.input: Dict[str, Any] = asked.get("input_data", {})
        self.expected_artifacts: List[Dict[str, Any]] = [
            {"name": item} if isinstance(item, str) else item for item in asked.get("expected_artifacts", [])
        ]
        #: The constraints of the request. `timeout_seconds` is always present.
        self.constraints: Dict[str, Any] = {"timeout_seconds": DEFAULT_TIMEOUT_SECONDS, **constraints}
        self.workspace: Optional[str] = context.get("workspace_path")
        #: The variables of `context.environment`, which are secrets. They are not in os.environ, because tasks may run at the same time.
        self.env: Dict[str, str] = environment_of(request)
        self.metadata: Dict[str, Any] = request.get("metadata", {})
        #: An event that is set when the task is cancelled or out of time. `cancelled.wait(seconds)` is a sleep that ends then.
        self.cancelled = threading.Event()
        self.tools = Tools(self, context.get("tools_endpoint"), constraints.get("allowed_tools"), emit, max_bytes)
        self._deadline = time.monotonic() + timeout_of(request)
        self._reason = "the task was cancelled"
        self._lock = threading.Lock()
        self._watchers: List[Callable[[], None]] = []

    @property
    def remaining_seconds(self) -> float:
        """Seconds until the task times out."""
        return max(0.0, self._deadline - time.monotonic())

    def check_cancelled(self) -> None:
        """Raises Cancelled when the task is cancelled or out of time."""
        if self.cancelled.is_set():
            raise Cancelled(self._reason)

    def _cancel(self, reason: str) -> None:
        with self._lock:
            self._reason = reason
            self.cancelled.set()
            watchers, self._watchers = self._watchers, []
        for watcher in watchers:
            watcher()

    def _on_cancel(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Calls `watcher` once when the task is cancelled, or at once if it is already. Returns a function that revokes this."""
        with self._lock:
            happened = self.cancelled.is_set()
            if not happened:
                self._watchers.append(watcher)
        if happened:
            watcher()
        return lambda: self._forget(watcher)

    def _forget(self, watcher: Callable[[], None]) -> None:
        with self._lock:
            if watcher in self._watchers:
                self._watchers.remove(watcher)
