"""One WebSocket: many tasks at the same time, each with its events and its response, told apart by `task_id`."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any, BinaryIO, Dict

from . import json_text
from .app import App
from .connection import SocketReader, SocketWriter
from .errors import AgentError, Refusal
from .request import check_request, known_task_id, parse_object
from .result import failed, refused, response_of
from .redact import Redactor
from .run import Run
from .websocket_frames import (
    CLOSE,
    PING,
    PONG,
    TEXT,
    CloseWith,
    FrameReader,
    Message,
    encode_close,
    encode_frame,
    parse_close,
)

_CLOSE_SECONDS = 1.0


class WebSocketSession:
    def __init__(self, app: App, source: BinaryIO, reader: SocketReader, writer: SocketWriter) -> None:
        self._app = app
        self._limits = app.limits
        self._source = source
        self._reader = reader
        self._writer = writer
        self._frames = FrameReader(source, app.limits.max_bytes)
        self._send_lock = threading.Lock()
        self._close_sent = False
        self._tasks_lock = threading.Lock()
        self._tasks: Dict[str, Run] = {}

    def serve(self) -> None:
        """Serves until either side closes the socket, then cancels the tasks."""
        try:
            with self._app.session(self):
                self._receive_all()
        except CloseWith as error:
            self._close(error.code, error.reason)
        except OSError:
            pass
        except Exception as error:
            self._app.around.output.log(f"WebSocket: {type(error).__name__}: {error}")
            self._close(1011, "internal error")
        finally:
            with self._tasks_lock:
                runs = list(self._tasks.values())
            for run in runs:
                run.cancel("the client disconnected")
            self._await_close()
            self._writer.shut()

    def stop(self) -> None:
        """Tells the client that the agent is stopping. The client's answer ends `serve`."""
        self._close(1001, "the agent is stopping")

    def _receive_all(self) -> None:
        heard = time.monotonic()
        while True:
            if not self._frames.is_inside_message:
                self._await_frame(heard)
                self._reader.allow(self._limits.read_seconds)
            try:
                message = self._frames.read()
            except socket.timeout:
                raise CloseWith(1008, "the message took too long") from None
            heard = time.monotonic()
            if message is not None and self._receive(message):
                return

    def _await_frame(self, heard: float) -> None:
        """Pings a client that sends nothing, and drops it when it does not answer the ping either."""
        quiet = self._limits.quiet_seconds
        while True:
            self._reader.allow(quiet)
            try:
                if not self._source.peek(1):  # type: ignore[attr-defined]
                    raise ConnectionResetError("the client left")
                return
            except socket.timeout:
                if time.monotonic() - heard >= 2 * quiet:
                    self._writer.shut()
                    raise
                self._send(encode_frame(PING, b""))

    def _receive(self, message: Message) -> bool:
        """Handles a message. Returns True when it was the last one."""
        if message.opcode == CLOSE:
            code, _ = parse_close(message.payload)
            self._close(code, "")
            return True
        if message.opcode == PING:
            self._send(encode_frame(PONG, message.payload))
        elif message.opcode == TEXT:
            self._receive_text(message.payload)
        return False

    def _receive_text(self, payload: bytes) -> None:
        try:
            payload.decode("utf-8")
        except UnicodeDecodeError:
            raise CloseWith(1007, "a message was not UTF-8") from None
        try:
            message = parse_object(payload)
            if message.get("type") in ("cancel", "resume") and "task" not in message:
                self._control(message)
            else:
                self._start(check_request(message))
        except Refusal as refusal:
            self._send_response(refused(refusal))

    def _control(self, message: Dict[str, Any]) -> None:
        task_id = known_task_id(message)
        if task_id is None:
            raise Refusal("task_id is missing", details={"field": "task_id", "message": "is missing"})
        if message["type"] == "resume":
            details = {"field": "type", "message": "resume is for the hub: here tasks end with their socket"}
            raise Refusal("this agent does not resume tasks", details=details, task_id=task_id)
        with self._tasks_lock:
            run = self._tasks.get(task_id)
        if run is None:
            return  # the task ended while the message was on its way
        reason = message.get("reason")
        run.cancel(reason if isinstance(reason, str) and reason else "the client cancelled the task")

    def _start(self, request: Dict[str, Any]) -> None:
        task_id = request["task_id"]
        with self._tasks_lock:
            if task_id in self._tasks:
                details = {"field": "task_id", "message": "belongs to a task that still runs on this socket"}
                raise Refusal(f"task_id {details['message']}", details=details, task_id=task_id)
            if len(self._tasks) >= self._limits.max_tasks:
                raise CloseWith(1013, f"{self._limits.max_tasks} tasks run on this socket")

        def respond(response: Dict[str, Any]) -> None:
            with self._tasks_lock:
                self._tasks.pop(task_id, None)
            self._send_response(response)

        run = self._app.start(request, lambda _sequence, data: self._send(encode_frame(TEXT, data)), respond)
        with self._tasks_lock:
            self._tasks[task_id] = run
        run.start()

    def _send_response(self, response: Dict[str, Any]) -> None:
        data = json_text.encode(response)
        if len(data) > self._limits.max_bytes:
            message = f"the response has {len(data)} bytes, the limit is {self._limits.max_bytes}: use reference()"
            result = failed(AgentError("INTERNAL_ERROR", message))
            data = json_text.encode(response_of(response["task_id"], result, response["metrics"], Redactor({})))
        self._send(encode_frame(TEXT, data))

    def _send(self, frame: bytes) -> None:
        with self._send_lock:
            if not self._close_sent:
                self._write(frame)

    def _close(self, code: int, reason: str) -> None:
        with self._send_lock:
            if not self._close_sent:
                self._close_sent = True
                self._write(encode_close(code, reason))

    def _write(self, frame: bytes) -> None:
        try:
            self._writer.write(frame)
        except OSError:  # the client is gone or does not read; shutting down also ends the thread that reads from it
            self._close_sent = True
            self._writer.shut()

    def _await_close(self) -> None:
        """Reads until the client has closed too, so that it sees the code and not a reset."""
        self._reader.allow(_CLOSE_SECONDS)
        try:
            while self._source.read1(1 << 16):  # type: ignore[attr-defined]
                pass
        except OSError:
            pass
