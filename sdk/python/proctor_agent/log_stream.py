"""Prints what the agent writes line by line and without secrets. Replaces sys.stdout and sys.stderr while serving."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
from typing import Any, Dict

from .known_secrets import KnownSecrets

#: Characters of an unfinished line after which it is written in pieces. The end is held back: a secret may begin in it.
_MAX_LINE = 1 << 16
_HELD_BACK = 1 << 13

_lock = threading.Lock()


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all of the data before another thread can write, so that lines stay whole."""
    with _lock:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]


class LogStream(io.TextIOBase):
    """Holds an unfinished line back, even at flush(), because its rest may complete a secret. Lines of threads do not mix."""

    encoding = "utf-8"  # type: ignore[assignment]
    errors = "backslashreplace"  # type: ignore[assignment]

    def __init__(self, descriptor: int, secrets: KnownSecrets) -> None:
        self._descriptor = descriptor
        self._secrets = secrets
        self._guard = threading.Lock()
        self._pending: Dict[int, str] = {}
        self.buffer = _Bytes(self)

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        thread = threading.get_ident()
        with self._guard:
            pending = self._pending.pop(thread, "") + text
            end = pending.rfind("\n") + 1
            lines, rest = pending[:end], pending[end:]
            if len(rest) > _MAX_LINE:
                shown = self._secrets.text(rest)
                lines, rest = lines + shown[:-_HELD_BACK], shown[-_HELD_BACK:]
            if rest:
                self._pending[thread] = rest
        if lines:
            self._show(lines)
        return len(text)

    def end_line(self) -> None:
        """Ends the unfinished line of this thread and writes it."""
        if threading.get_ident() in self._pending:
            self.write("\n")

    def end_all(self) -> None:
        with self._guard:
            pending, self._pending = self._pending, {}
        for rest in pending.values():
            self._show(f"{rest}\n")

    def _show(self, text: str) -> None:
        try:
            write_all(self._descriptor, self._secrets.text(text).encode("utf-8", "backslashreplace"))
        except OSError:  # nobody reads the log; the task continues
            pass

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        pass

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return False


class _Bytes(io.RawIOBase):
    """The `buffer` of a text stream, for programs that call `sys.stdout.buffer.write`."""

    def __init__(self, stream: LogStream) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(bytes(data).decode("utf-8", "backslashreplace"))
        return len(data)


class Output:
    """The output of the process: both streams, and the messages of this library."""

    def __init__(self, stdout: LogStream, stderr: LogStream) -> None:
        self._stdout = stdout
        self._stderr = stderr

    def log(self, text: str) -> None:
        """Prints a message of this library."""
        self._stderr.write(text if text.endswith("\n") else f"{text}\n")

    def end_line(self) -> None:
        self._stdout.end_line()
        self._stderr.end_line()

    def end_all(self) -> None:
        self._stdout.end_all()
        self._stderr.end_all()


def capture_output(secrets: KnownSecrets, stdout_descriptor: int) -> Output:
    """Redirects everything that is printed from now on to the log."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    stdout, stderr = LogStream(stdout_descriptor, secrets), LogStream(2, secrets)
    replaced = {id(sys.stdout): stdout, id(sys.stderr): stderr}
    loggers = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    for handler in {handler for logger in loggers for handler in logger.handlers}:
        # A handler that was made before keeps the stream that it found then.
        if isinstance(handler, logging.StreamHandler) and id(handler.stream) in replaced:
            handler.setStream(replaced[id(handler.stream)])
    sys.stdout, sys.stderr = stdout, stderr
    return Output(stdout, stderr)
