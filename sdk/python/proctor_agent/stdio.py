"""One task over pipes: the request is a line on stdin, events are lines on stderr, the response is a line on stdout."""

from __future__ import annotations

import os
import queue
import signal
import threading
from typing import Any, Callable, Dict, List, Optional

from . import json_text
from .errors import Refusal
from .known_secrets import KnownSecrets
from .limits import Limits
from .log_stream import capture_output, write_all
from .request import parse_request
from .result import refused
from .run import Agent, Run, Surroundings
from .signals import on_signals, too_late_to_stop


def serve_stdio(agent: Agent, limits: Limits) -> int:
    """Returns the exit code, 0 when a response was written."""
    # The real stdout is kept aside. Everything else that writes to descriptor 1, including programs that the agent
    # starts, writes to stderr.
    answers = os.dup(1)
    os.set_inheritable(answers, False)
    os.dup2(2, 1)
    secrets = KnownSecrets()
    output = capture_output(secrets, 2)
    around = Surroundings(agent, limits, secrets, output)
    # This queue is reentrant, so a signal handler may put into it no matter what the main thread is doing.
    inbox: "queue.SimpleQueue[Callable[[], Optional[Dict[str, Any]]]]" = queue.SimpleQueue()
    run: Optional[Run] = None
    stopping = False

    def begin(data: bytes) -> Optional[Dict[str, Any]]:
        nonlocal run
        try:
            request = parse_request(data)
        except Refusal as refusal:
            return refused(refusal)
        run = Run(around, request, _send_event, lambda response: inbox.put(lambda: response))
        run.start()
        return None

    def stop() -> Optional[Dict[str, Any]]:
        nonlocal stopping
        stopping = True
        if run is not None:
            run.cancel("the agent was asked to stop")
        return None

    on_signals(lambda: inbox.put(stop))
    threading.Thread(target=_read_request, args=(limits.max_bytes, inbox, begin), daemon=True).start()
    response: Optional[Dict[str, Any]] = None
    while response is None:
        response = inbox.get()()
        if stopping and run is None and response is None:
            _leave(128 + signal.SIGTERM)  # there was no request, so there is nothing to answer
    output.end_all()
    try:
        write_all(answers, json_text.encode(response) + b"\n")
        code = 0
    except OSError:
        code = 1
    os.close(answers)
    too_late_to_stop()
    if run is not None and run.thread.is_alive():
        run.thread.join(0.05)  # the function is about to end, or it ignores its cancellation
        if run.thread.is_alive():
            _leave(code)
    return code


def _send_event(_sequence: int, data: bytes) -> None:
    try:
        write_all(2, data + b"\n")
    except OSError:  # nobody reads the events, but somebody may read the response
        pass


def _read_request(max_bytes: int, inbox: Any, begin: Callable[[bytes], Optional[Dict[str, Any]]]) -> None:
    """Reads the descriptor itself, because a thread that waits in sys.stdin would hold its lock when the program ends."""
    chunks: List[bytes] = []
    size = 0
    while size <= max_bytes:
        try:
            chunk = os.read(0, 1 << 16)
        except OSError:
            chunk = b""
        line, end, _ = chunk.partition(b"\n")
        chunks.append(line)
        size += len(line)
        if end or not chunk:
            break
    _close_stdin()
    if size > max_bytes:
        details = {"field": "", "message": "is too large", "max_bytes": max_bytes}
        refusal = Refusal(f"the request is larger than {max_bytes} bytes", details=details)
        inbox.put(lambda: refused(refusal))
    else:
        data = b"".join(chunks)
        inbox.put(lambda: begin(data))


def _close_stdin() -> None:
    """Replaces stdin by an empty file, so that neither the agent nor a program that it starts reads the protocol's pipe."""
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)


def _leave(code: int) -> None:
    """Exits without waiting for threads that do not end. Daemon threads must not run while the interpreter shuts down."""
    os._exit(code)
