"""The task as a function sees it: what is asked, with what, and whether it still matters."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Dict, List, Optional

from .emit import Emit
from .errors import Cancelled
from .request import DEFAULT_TIMEOUT_SECONDS, Request, environment_of, timeout_of
from .tools import Tools


class Task:
    """Read it; only `cancelled` changes."""

    def __init__(self, request: Request, emit: Emit, max_bytes: int) -> None:
        asked = request["task"]
        context = request.get("context", {})
        constraints = request.get("constraints", {})
        #: The request as it came, fields of later versions included.
        self.request: Request = request
        self.id: str = request["task_id"]
        self.description: str = asked["description"]
        self.input: Dict[str, Any] = asked.get("input_data", {})
        self.expected_artifacts: List[Dict[str, Any]] = [
            {"name": item} if isinstance(item, str) else item for item in asked.get("expected_artifacts", [])
        ]
        #: `timeout_seconds` is always there.
        self.constraints: Dict[str, Any] = {"timeout_seconds": DEFAULT_TIMEOUT_SECONDS, **constraints}
        self.workspace: Optional[str] = context.get("workspace_path")
        #: Secrets; they are not put into os.environ, because tasks may run side by side.
        self.env: Dict[str, str] = environment_of(request)
        self.metadata: Dict[str, Any] = request.get("metadata", {})
        #: Set when the task is cancelled or out of time. `cancelled.wait(seconds)` is a sleep that ends then.
        self.cancelled = threading.Event()
        self.tools = Tools(self, context.get("tools_endpoint"), constraints.get("allowed_tools"), emit, max_bytes)
        self._deadline = time.monotonic() + timeout_of(request)
        self._reason = "the task was cancelled"
        self._lock = threading.Lock()
        self._watchers: List[Callable[[], None]] = []

    @property
    def remaining_seconds(self) -> float:
        """Until the task times out."""
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
        """Calls back once, at once if it has happened already; returns how to call it off."""
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
