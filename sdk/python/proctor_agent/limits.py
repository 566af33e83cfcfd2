"""How much a client may send and how long anything may take. The defaults suit everybody but tests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    #: The largest request, event and WebSocket message.
    max_bytes: int = 10 * 1024 * 1024
    #: A request, or a WebSocket message, must be complete so long after its first byte.
    read_seconds: float = 30.0
    #: A client must take what it is sent within this time.
    send_seconds: float = 30.0
    #: A connection without a request is closed after this time.
    idle_seconds: float = 75.0
    #: A comment on an event stream, a ping on a WebSocket, when nothing happens.
    quiet_seconds: float = 15.0
    #: How long a function may take to end after its task was cancelled or timed out.
    grace_seconds: float = 1.0
    #: Tasks that run at the same time on one WebSocket.
    max_tasks: int = 10_000
