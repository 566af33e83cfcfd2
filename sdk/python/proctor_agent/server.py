"""Serves HTTP and WebSocket on one port until a signal arrives."""

from __future__ import annotations

import os
import queue
import socket
import sys
import threading
from http.server import ThreadingHTTPServer
from typing import Any

from .app import App
from .http_handler import HttpHandler
from .known_secrets import KnownSecrets
from .limits import Limits
from .log_stream import capture_output, write_all
from .origin import is_loopback
from .run import Agent, Surroundings
from .signals import on_signals


def serve_network(agent: Agent, limits: Limits, host: str, port: int) -> int:
    """Prints its address as the first line on stdout. Returns the exit code, 0 when a signal stopped it."""
    try:
        server = _listen(host, port)
    except OSError as error:
        sys.stderr.write(f"cannot listen on {host}:{port}: {error.strerror or error}\n")
        return 1
    secrets = KnownSecrets()
    output = capture_output(secrets, 1)
    app = App(Surroundings(agent, limits, secrets, output))
    server.RequestHandlerClass = type("Handler", (HttpHandler,), {"app": app})
    asked: "queue.SimpleQueue[bool]" = queue.SimpleQueue()
    on_signals(lambda: asked.put(True))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    shown = f"[{host}]" if ":" in host else host
    write_all(1, f"listening on http://{shown}:{server.server_address[1]}\n".encode())
    if not is_loopback(host):
        output.log(f"anybody who can reach {shown} can give this agent tasks")
    asked.get()
    server.shutdown()
    server.server_close()
    app.stop()
    output.end_all()
    # Functions that ignore their cancellation may still run, and daemon threads must not run while the interpreter shuts down.
    os._exit(0)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    allow_reuse_address = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            sys.stderr.write(f"connection: {type(error).__name__}: {error}\n")


def _listen(host: str, port: int) -> ThreadingHTTPServer:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET

    class Server(_Server):
        address_family = family

        def server_bind(self) -> None:  # the base class looks up the host's full name, which can take seconds
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind(self.server_address)
            self.server_address = self.socket.getsockname()
            self.server_name, self.server_port = host, self.server_address[1]

    return Server((host, port), HttpHandler)
