"""One POST that ends when its task is cancelled, because the cancellation shuts the socket down."""

from __future__ import annotations

import http.client
import socket
from typing import TYPE_CHECKING, Tuple
from urllib.parse import urlsplit

from .errors import ToolError

if TYPE_CHECKING:
    from .task import Task


def post(task: "Task", tool: str, url: str, body: bytes, seconds: float, max_bytes: int) -> Tuple[int, bytes]:
    """Returns the status and the body. Redirects are not followed, because only this address was given to the task."""
    connection = _connection(tool, url, max(seconds, 0.001))
    forget = None
    try:
        connection.connect()
        # The connection drops its reference to the socket while the answer is still being read.
        opened = connection.sock
        forget = task._on_cancel(lambda: _shut(opened))
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
        connection.request("POST", target, body, headers)
        answer = connection.getresponse()
        data = answer.read(max_bytes + 1)
        task.check_cancelled()
    except (OSError, http.client.HTTPException, ValueError) as error:
        task.check_cancelled()
        reason = "took too long" if isinstance(error, socket.timeout) else f"cannot be reached: {error}"
        raise ToolError("TOOL_ERROR", tool, f"the tool {tool} {reason}") from None
    finally:
        if forget is not None:
            forget()
        connection.close()
    if len(data) > max_bytes:
        raise ToolError("TOOL_ERROR", tool, f"the tool {tool} answered with more than {max_bytes} bytes")
    return answer.status, data


def _connection(tool: str, url: str, seconds: float) -> http.client.HTTPConnection:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "https"):
        raise ToolError("TOOL_ERROR", tool, "tools_endpoint is not an http or https address")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(host, port, timeout=seconds)


def _shut(opened: socket.socket) -> None:
    try:
        opened.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
