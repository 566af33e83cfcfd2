"""While an agent runs, stdin and stdout belong to the protocol. What its code or its child processes print goes to stderr."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Iterator, Optional, Type

from .errors import RequestError

#: Longest line in bytes that is accepted.
MAX_LINE_BYTES = 64 * 1024 * 1024


class ProtocolStreams:
    """Takes descriptors 0 and 1 for itself and gives them back at the end. Reads lines, and writes without a buffer."""

    def __enter__(self) -> "ProtocolStreams":
        self._in = _kept(0)
        self._out = _kept(1)
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)
        os.dup2(2, 1)
        # Text that was printed before and is still in the buffer is not an answer, so it goes to stderr too.
        sys.stdout.flush()
        self._reader = os.fdopen(self._in, "rb", closefd=False)
        return self

    def __exit__(
        self, _kind: Optional[Type[BaseException]], _error: Optional[BaseException], _trace: Optional[TracebackType]
    ) -> None:
        sys.stdout.flush()
        self._reader.close()
        os.dup2(self._in, 0)
        os.dup2(self._out, 1)
        os.close(self._in)
        os.close(self._out)

    def lines(self) -> Iterator[bytes]:
        while True:
            line = self._reader.readline(MAX_LINE_BYTES + 1)
            if not line:
                return
            if len(line) > MAX_LINE_BYTES:
                raise RequestError(f"the request is larger than {MAX_LINE_BYTES} bytes")
            yield line

    def write(self, text: str) -> None:
        data = memoryview(text.encode("utf-8"))
        while data:
            data = data[os.write(self._out, data) :]

    def flush(self) -> None:
        """Does nothing, because nothing is buffered."""


def _kept(descriptor: int) -> int:
    kept = os.dup(descriptor)
    os.set_inheritable(kept, False)
    return kept
