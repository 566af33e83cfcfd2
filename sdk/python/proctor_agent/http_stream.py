"""`/execute/stream`: the events of a task and then its response, as server-sent events."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Dict

from . import json_text
from .connection import SocketWriter, Waiting
from .media import EVENT_STREAM
from .request import parse_request

if TYPE_CHECKING:
    from .http_handler import HttpHandler


def stream_events(handler: "HttpHandler", body: bytes) -> None:
    request = parse_request(body)
    waiting = Waiting(handler.connection)
    stream = EventStream(handler.writer, waiting, chunked=handler.request_version != "HTTP/1.0")
    try:
        run = handler.app.start(request, stream.event, stream.response)
        try:
            _send_head(handler, stream.chunked)
            run.start()
            _follow(stream, waiting, handler.app.limits.quiet_seconds)
        finally:
            run.cancel("the client disconnected")  # has no effect on a task that has ended
    finally:
        waiting.close()


class EventStream:
    """Sends in the thread that emits, so that a slow client slows the agent down instead of filling memory."""

    def __init__(self, writer: SocketWriter, waiting: Waiting, chunked: bool) -> None:
        self._writer = writer
        self._waiting = waiting
        self._lock = threading.Lock()
        self.chunked = chunked
        self._is_broken = False
        self.sent_at = time.monotonic()

    def event(self, sequence: int, data: bytes) -> None:
        self._send(b"event: event\nid: %d\ndata: %s\n\n" % (sequence, data))

    def response(self, response: Dict[str, Any]) -> None:
        self._send(b"event: response\ndata: %s\n\n" % json_text.encode(response), is_last=True)
        self._waiting.wake()

    def comment(self) -> None:
        self._send(b": nothing new\n\n")

    def _send(self, frame: bytes, is_last: bool = False) -> None:
        data = b"%x\r\n%s\r\n" % (len(frame), frame) if self.chunked else frame
        with self._lock:
            if self._is_broken:
                return
            try:
                self._writer.write(data + b"0\r\n\r\n" if self.chunked and is_last else data)
                self.sent_at = time.monotonic()
            except OSError:  # the client is gone or does not read
                self._is_broken = True
                self._waiting.wake()


def _follow(stream: EventStream, waiting: Waiting, quiet_seconds: float) -> None:
    """Sends comments while nothing happens, until the response is sent or the client is gone."""
    while True:
        due = stream.sent_at + quiet_seconds
        if waiting.wait(max(0.001, due - time.monotonic())) != "quiet":
            return
        if time.monotonic() >= stream.sent_at + quiet_seconds:
            stream.comment()


def _send_head(handler: "HttpHandler", chunked: bool) -> None:
    handler.close_connection = True
    handler.send_response(200)
    handler.send_header("Content-Type", EVENT_STREAM)
    handler.send_header("Cache-Control", "no-cache, no-transform")
    handler.send_header("X-Accel-Buffering", "no")
    handler.send_header("Connection", "close")
    if chunked:
        handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
