"""One POST to the model's endpoint. Redirects are not followed, because the key is meant for this address only."""

from __future__ import annotations

import http.client
import socket
import time
from typing import Callable, Dict, Iterator
from urllib.parse import urlsplit

from .errors import LLMError

MAX_ANSWER_BYTES = 64 * 1024 * 1024
_PIECE = 64 * 1024


class Answer:
    """An answer whose body has not been read yet. The caller must close it."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, sock: socket.socket) -> None:
        self._connection = connection
        self._response = response
        self._socket = sock
        self.status = response.status
        self.headers: Dict[str, str] = {name.lower(): value for name, value in response.getheaders()}
        self._missing = response.length

    def read(self, deadline: float) -> bytes:
        """Returns the whole body."""
        pieces = []
        size = 0
        for piece in self.pieces(lambda: deadline - time.monotonic()):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_ANSWER_BYTES:
                raise LLMError("invalid_response", f"the answer is larger than {MAX_ANSWER_BYTES} bytes")
        return b"".join(pieces)

    def pieces(self, seconds: Callable[[], float]) -> Iterator[bytes]:
        """Yields pieces as they arrive, each within `seconds()`. Raises `network_error` when the answer breaks off."""
        while self._missing != 0:
            try:
                self._socket.settimeout(max(seconds(), 0.001))
                piece = self._response.read1(_PIECE)
            except socket.timeout:
                raise LLMError("timeout", "the model took too long to answer") from None
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise LLMError("network_error", f"the answer broke off: {_reason(error)}") from None
            if not piece and self._missing:
                raise LLMError("network_error", f"the answer broke off: {self._missing} bytes are missing")
            if not piece:
                return
            if self._missing is not None:
                self._missing -= len(piece)
            yield piece

    def close(self) -> None:
        self._response.close()
        self._connection.close()


def post(url: str, headers: Dict[str, str], body: bytes, seconds: float) -> Answer:
    """Sends the request. Returns when the headers have arrived."""
    connection = _connection(url, seconds)
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.connect()
        # The connection drops its reference to the socket while the answer is still being read.
        opened = connection.sock
        connection.request("POST", target, body, headers)
        return Answer(connection, connection.getresponse(), opened)
    except socket.timeout:
        connection.close()
        raise LLMError("timeout", "the model took too long to answer") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        connection.close()
        raise LLMError("network_error", f"{parts.scheme}://{parts.netloc} cannot be reached: {_reason(error)}") from None


def _connection(url: str, seconds: float) -> http.client.HTTPConnection:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "https"):
        raise LLMError("no_api_url", "LLM_API_URL is not an http or https address")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(host, port, timeout=seconds)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
