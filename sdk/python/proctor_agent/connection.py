"""A client's socket: a whole message has a deadline, each send has a time limit, and both may happen at the same time."""

from __future__ import annotations

import io
import selectors
import socket
import threading
import time
from typing import Any, Optional

#: Bytes that a client may send while it waits for its answer; with more it counts as gone.
_MAX_EARLY_BYTES = 1 << 16


#: Options that detect a vanished peer after a minute, where the system supports them.
_KEEP_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


def prepare(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class SocketReader(io.RawIOBase):
    """Reads from a socket. Raises socket.timeout at the deadline, however many small pieces arrived before it."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._deadline = time.monotonic()

    def allow(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise socket.timeout("timed out")
        self._connection.settimeout(remaining)
        return self._connection.recv_into(buffer)


class SocketWriter(io.RawIOBase):
    """Writes to a socket. It has a descriptor of its own, because the timeout of a socket object applies to both directions."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection = connection.dup()
        self._connection.settimeout(seconds)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._connection.sendall(data)
        return len(data)

    def shut(self) -> None:
        """Ends both directions, which wakes every thread that reads or writes."""
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        if not self.closed:
            self._connection.close()
        super().close()


class Waiting:
    """Waits until an answer is ready or the client has gone away."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._near, self._far = socket.socketpair()
        self._lock = threading.Lock()
        self._early_bytes = 0
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection, selectors.EVENT_READ)
        self._selector.register(self._near, selectors.EVENT_READ)

    def wake(self) -> None:
        with self._lock:
            if self._far.fileno() >= 0:
                self._far.send(b"!")

    def wait(self, seconds: Optional[float]) -> str:
        """Returns `ready`, `gone`, or, after that many seconds, `quiet`."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            left = None if end is None else max(0.0, end - time.monotonic())
            ready = {key.fileobj for key, _ in self._selector.select(left)}
            if self._near in ready:
                return "ready"
            if self._connection in ready and self._is_gone():
                return "gone"
            if end is not None and time.monotonic() >= end:
                return "quiet"

    @property
    def was_disturbed(self) -> bool:
        """Whether the client sent something that was thrown away, so that the connection cannot be used again."""
        return self._early_bytes > 0

    def close(self) -> None:
        self._selector.close()
        with self._lock:
            self._near.close()
            self._far.close()

    def _is_gone(self) -> bool:
        try:
            data = self._connection.recv(4096)
        except OSError:
            return True
        self._early_bytes += len(data)
        return data == b"" or self._early_bytes > _MAX_EARLY_BYTES


def drain(connection: socket.socket, seconds: float) -> None:
    """Reads for a moment after a refusal; without it the client would see a reset instead of the answer."""
    end = time.monotonic() + seconds
    try:
        connection.shutdown(socket.SHUT_WR)
        while time.monotonic() < end:
            connection.settimeout(max(0.001, end - time.monotonic()))
            if not connection.recv(1 << 16):
                return
    except OSError:
        pass
