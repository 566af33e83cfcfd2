"""How much a client may send and how long anything may take. Only tests need anything but the defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    #: Largest request, event and WebSocket message, in bytes.
    max_bytes: int = 10 * 1024 * 1024
    #: Seconds within which a request or a WebSocket message must be complete, counted from its first byte.
    read_seconds: float = 30.0
    #: Seconds within which a client must take what it is sent.
    send_seconds: float = 30.0
    #: Seconds after which a connection without a request is closed.
    idle_seconds: float = 75.0
    #: Seconds without traffic after which an event stream gets a comment and a WebSocket a ping.
    quiet_seconds: float = 15.0
    #: Seconds that a function may take to end after its task was cancelled or timed out.
    grace_seconds: float = 1.0
    #: Number of tasks that may run at the same time on one WebSocket.
    max_tasks: int = 10_000
