"""The tasks of a server: starts them, remembers which run, and ends them all when the server stops."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Protocol, Set

from .emit import SendEvent
from .errors import Refusal
from .request import Request
from .run import Respond, Run, Surroundings


class Closable(Protocol):
    def stop(self) -> None: ...


class App:
    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.limits = around.limits
        self.stopping = False
        self._changed = threading.Condition()
        self._runs: Set[Run] = set()
        self._sessions: Set[Closable] = set()
        self._answers_under_way = 0

    def start(self, request: Request, send: SendEvent, respond: Respond) -> Run:
        """Makes a run. The caller starts it when it is ready for the events."""
        if self.stopping:
            raise Refusal("the agent is stopping", status=503, code="INTERNAL_ERROR", task_id=request["task_id"])
        made: List[Run] = []

        def ended(response: Dict[str, Any]) -> None:
            respond(response)
            with self._changed:
                self._runs.difference_update(made)
                self._changed.notify_all()

        made.append(Run(self.around, request, send, ended))
        with self._changed:
            self._runs.update(made)
        return made[0]

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keeps the server from stopping while an answer is being sent."""
        with self._changed:
            self._answers_under_way += 1
        try:
            yield
        finally:
            with self._changed:
                self._answers_under_way -= 1
                self._changed.notify_all()

    @contextmanager
    def session(self, session: Closable) -> Iterator[None]:
        """Calls `session.stop()` when the server stops, for as long as the context lasts."""
        with self._changed:
            self._sessions.add(session)
        try:
            yield
        finally:
            with self._changed:
                self._sessions.discard(session)
                self._changed.notify_all()

    def stop(self) -> None:
        """Cancels all runs, waits until their answers are sent, then closes the sockets. Takes at most `grace_seconds` + 2."""
        with self._changed:
            self.stopping = True
            runs = list(self._runs)
        for run in runs:
            run.cancel("the agent is stopping")
        self._wait(self.limits.grace_seconds + 1, lambda: not self._runs and self._answers_under_way == 0)
        with self._changed:
            sessions = list(self._sessions)
        for session in sessions:
            session.stop()
        self._wait(1, lambda: not self._sessions)

    def _wait(self, seconds: float, is_done: Callable[[], bool]) -> None:
        with self._changed:
            self._changed.wait_for(is_done, seconds)
