"""One HTTP connection: `/execute`, `/execute/stream`, and the upgrade to WebSocket."""

from __future__ import annotations

import io
import re
import socket
from email.message import Message
from http.server import BaseHTTPRequestHandler
from typing import Any, Dict, List, Optional, Tuple

from . import json_text
from .app import App
from .connection import SocketReader, SocketWriter, Waiting, drain, prepare
from .errors import Refusal
from .http_body import check_length, read_body
from .http_stream import stream_events
from .media import ATP, check_content_type, negotiate
from .origin import check_origin
from .request import parse_request
from .result import refused
from .websocket_handshake import accept_websocket, wants_websocket
from .websocket_session import WebSocketSession

_PATHS = ("/execute", "/execute/stream")
_DRAIN_SECONDS = 2.0


class HttpHandler(BaseHTTPRequestHandler):
    """Handles a connection. The server makes a subclass that has `app` set."""

    app: App
    protocol_version = "HTTP/1.1"
    server_version = "proctor-sdk"
    sys_version = ""

    def setup(self) -> None:
        limits = self.app.limits
        self.connection = self.request
        prepare(self.connection)
        self.reader = SocketReader(self.connection)
        self.rfile = io.BufferedReader(self.reader, 1 << 16)  # type: ignore[assignment]
        self.wfile = self.writer = SocketWriter(self.connection, limits.send_seconds)  # type: ignore[assignment]
        self._patience = limits.read_seconds
        self._body_length = 0
        self._is_unread = False

    def finish(self) -> None:
        if self._is_unread:
            drain(self.connection, _DRAIN_SECONDS)
        self.writer.close()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:  # the client is gone or does not read, so nobody would see an error
            pass

    def handle_one_request(self) -> None:
        self.reader.allow(self._patience)
        self._patience = self.app.limits.idle_seconds
        try:
            if not self.rfile.peek(1):  # type: ignore[attr-defined]
                self.close_connection = True
                return
        except socket.timeout:
            self.close_connection = True
            return
        self.reader.allow(self.app.limits.read_seconds)
        super().handle_one_request()

    def do_POST(self) -> None:
        try:
            self._is_unread = True
            self._body_length = check_length(self.headers, self.app.limits.max_bytes)
            path = self.path.partition("?")[0]
            if path not in _PATHS:
                raise Refusal(f"there is no {path[:200]} here, only {' and '.join(_PATHS)}", status=404)
            check_origin(self.headers)
            content_type = check_content_type(self.headers.get("Content-Type"))
            accept = self.headers.get_all("Accept")
            answer_type = negotiate(", ".join(accept) if accept else None, content_type, path == "/execute/stream")
            _check_extras(self.headers)
            body = read_body(self.rfile, self._body_length, self.app.limits.max_bytes)  # type: ignore[arg-type]
            self._is_unread = False
            with self.app.answering():
                if path == "/execute":
                    self._execute(body, answer_type)
                else:
                    stream_events(self, body)
        except Refusal as refusal:
            self.refuse(refusal)

    def do_GET(self) -> None:
        if not wants_websocket(self.headers):
            self._wrong_method()
            return
        try:
            check_origin(self.headers)
            headers = accept_websocket(self.headers, self.request_version)
            if self.app.stopping:
                raise Refusal("the agent is stopping", status=503, code="INTERNAL_ERROR")
        except Refusal as refusal:
            self.refuse(refusal)
            return
        self.send_response(101)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        WebSocketSession(self.app, self.rfile, self.reader, self.writer).serve()  # type: ignore[arg-type]

    def do_HEAD(self) -> None:
        self._wrong_method()

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_HEAD

    def _execute(self, body: bytes, answer_type: str) -> None:
        request = parse_request(body)
        waiting = Waiting(self.connection)
        responses: List[Dict[str, Any]] = []

        def respond(response: Dict[str, Any]) -> None:
            responses.append(response)
            waiting.wake()

        try:
            run = self.app.start(request, lambda _sequence, _data: None, respond)
            run.start()
            if waiting.wait(None) == "gone":
                self.close_connection = True
                run.cancel("the client disconnected")
                return
            self.close_connection = self.close_connection or waiting.was_disturbed
        finally:
            waiting.close()
        self.answer(200, responses[0], answer_type)

    def refuse(self, refusal: Refusal) -> None:
        """Answers with a refusal. A body that was not read would be taken for the next request, so the connection ends."""
        self.close_connection = self.close_connection or self._is_unread
        self.answer(refusal.status, refused(refusal), ATP, refusal.headers)

    def answer(self, status: int, response: Dict[str, Any], kind: str, headers: Any = ()) -> None:
        data = json_text.encode(response)
        self.send_response(status)
        fields: List[Tuple[str, str]] = [("Content-Type", kind), ("Content-Length", str(len(data))), *headers]
        if self.close_connection:
            fields.append(("Connection", "close"))
        for name, value in [*fields, ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _wrong_method(self) -> None:
        path = self.path.partition("?")[0]
        known = path in _PATHS
        self._is_unread = True  # the request may have a body, which is not read
        message = "this takes POST" if known else f"there is no {path[:200]} here"
        self.refuse(Refusal(message, status=405 if known else 404, headers=[("Allow", "POST")] if known else []))

    def handle_expect_100(self) -> bool:
        """Refuses a body that is too large before the client sends it."""
        try:
            check_length(self.headers, self.app.limits.max_bytes)
        except Refusal as refusal:
            self._is_unread = True
            self.refuse(refusal)
            return False
        return super().handle_expect_100()

    def send_error(self, code: int, message: Optional[str] = None, explain: Optional[str] = None) -> None:
        """Answers an error that the base class found with a response of the protocol."""
        self._is_unread = True
        self.command = getattr(self, "command", None) or ""
        self.request_version = self.protocol_version
        said = re.sub(r"\s*\(.*", "", message or self.responses.get(code, ("refused",))[0], flags=re.DOTALL)
        self.refuse(Refusal(f"not an acceptable HTTP request: {said}", status=code))

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _check_extras(headers: Message) -> None:
    if headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        details = {"field": "Content-Encoding", "message": "is not supported"}
        raise Refusal("the request must not be compressed", status=415, details=details)
    if headers.get("Last-Event-ID") is not None:
        details = {"field": "Last-Event-ID", "message": "names no task: a task ends with its connection"}
        raise Refusal("there is no task to continue; none was started", status=409, details=details)
