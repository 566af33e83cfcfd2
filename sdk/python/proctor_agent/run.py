"""One task from its request to its response: calls the function in a thread, watches the time limit, and always answers once."""

from __future__ import annotations

import asyncio
import inspect
import threading
import traceback
from typing import Any, Callable, Dict, Optional, Tuple

from .emit import Emit, SendEvent
from .errors import AgentError, Cancelled
from .known_secrets import KnownSecrets
from .limits import Limits
from .log_stream import Output
from .request import Request, environment_of, timeout_of
from .result import Result, failed, response_of, result_of
from .task import Task
from .timers import Timer, Timers

Agent = Callable[[Task, Emit], Any]
Respond = Callable[[Dict[str, Any]], None]


class Surroundings:
    """What all tasks of a process share."""

    def __init__(self, agent: Agent, limits: Limits, secrets: KnownSecrets, output: Output) -> None:
        self.agent = agent
        self.limits = limits
        self.secrets = secrets
        self.output = output
        self.timers = Timers()


class Run:
    """Calls `send` with every event, then `respond` once with the response, from the first thread that ends the task."""

    def __init__(self, around: Surroundings, request: Request, send: SendEvent, respond: Respond) -> None:
        self._around = around
        self._respond = respond
        self._environment = environment_of(request)
        self._redactor = around.secrets.acquire(self._environment)
        self._emit = Emit(request["task_id"], self._redactor, send, around.limits.max_bytes)
        self.task = Task(request, self._emit, around.limits.max_bytes)
        self._timeout_seconds = timeout_of(request)
        self._lock = threading.Lock()
        self._stopped: Optional[Tuple[str, str]] = None
        self._ended = False
        self._started = False
        self._timer: Optional[Timer] = None
        self.thread = threading.Thread(target=self._work, name=f"task {self.task.id}", daemon=True)

    def start(self) -> None:
        reason = f"the task exceeded its limit of {self._timeout_seconds:g} seconds"
        self._timer = self._around.timers.after(self._timeout_seconds, lambda: self._stop("timeout", reason))
        self._started = True
        try:
            self.thread.start()
        except RuntimeError as error:
            self._started = False
            self._end(failed(AgentError("INTERNAL_ERROR", f"the agent is overloaded: {error}")))

    def cancel(self, reason: str = "the task was cancelled") -> None:
        """Gives the function `grace_seconds` to end. The response is sent in any case."""
        self._stop("cancelled", reason)

    def _stop(self, status: str, reason: str) -> None:
        with self._lock:
            if self._stopped is not None or self._ended:
                return
            self._stopped = (status, reason)
        self._around.timers.after(self._around.limits.grace_seconds, lambda: self._end(Result()))
        self.task._cancel(reason)

    def _work(self) -> None:
        try:
            self._end(self._outcome())
        finally:
            self._around.output.end_line()
            self._around.secrets.release(self._environment)

    def _outcome(self) -> Result:
        try:
            return result_of(self._call())
        except (Cancelled, asyncio.CancelledError) as error:
            if self._stopped is not None:
                return Result()
            return Result(status="cancelled", error=str(error) or "the agent cancelled its task")
        except AgentError as error:
            return failed(error)
        except BaseException as error:  # even SystemExit: a function must not end the process that other tasks use
            self._around.output.log(f"task {self.task.id}: {traceback.format_exc()}")
            return failed(AgentError("INTERNAL_ERROR", _describe(error)))

    def _call(self) -> Any:
        value = self._around.agent(self.task, self._emit)
        return asyncio.run(self._awaited(value)) if inspect.isawaitable(value) else value

    async def _awaited(self, value: Any) -> Any:
        loop, current = asyncio.get_running_loop(), asyncio.current_task()

        def interrupt() -> None:
            try:
                if current is not None:
                    loop.call_soon_threadsafe(current.cancel)
            except RuntimeError:  # the event loop has just ended
                pass

        forget = self.task._on_cancel(interrupt)
        try:
            return await value
        finally:
            forget()

    def _end(self, result: Result) -> None:
        with self._lock:
            if self._ended:
                return
            self._ended = True
            stopped = self._stopped
        if self._timer is not None:
            self._timer.cancel()
        if stopped is not None:
            result = _stopped_result(result, *stopped)
        counted = self._emit._close()
        try:
            response = response_of(self.task.id, result, counted, self._redactor)
        except Exception as error:  # objects of the agent may raise anything when they are read
            problem = AgentError("INTERNAL_ERROR", f"the agent's result cannot be sent: {error}")
            lost = failed(problem) if stopped is None else _stopped_result(Result(), *stopped)
            response = response_of(self.task.id, lost, counted, self._redactor)
        self.task._cancel("the task has ended")
        if not self._started:
            self._around.secrets.release(self._environment)
        self._respond(response)


def _describe(error: BaseException) -> str:
    """Returns the message of an error, with its type where the message alone says too little."""
    said = str(error)
    if not said or isinstance(error, (KeyError, SystemExit)):
        return f"{type(error).__name__}: {said}" if said else type(error).__name__
    return said


def _stopped_result(result: Result, status: str, reason: str) -> Result:
    """Keeps what a stopped function still returned, but not its status: that says why it was stopped."""
    code = "TIMEOUT" if status == "timeout" else None
    return Result(result.artifacts, result.metrics, status, reason, code, None, result.trace_id)
