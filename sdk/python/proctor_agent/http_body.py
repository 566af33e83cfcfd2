"""Reads the body of an HTTP request: never more than the limit, never longer than the reader's deadline allows."""

from __future__ import annotations

import re
import socket
from email.message import Message
from typing import BinaryIO, List

from .errors import Refusal

_MAX_LINE = 1024
_MAX_TRAILERS = 100


def check_length(headers: Message, max_bytes: int) -> int:
    """Returns the announced length; -1 when the body comes in chunks. Refuses headers that could be read in two ways."""
    lengths = headers.get_all("Content-Length") or []
    codings = headers.get_all("Transfer-Encoding") or []
    if codings:
        if lengths or [coding.strip().lower() for coding in codings] != ["chunked"]:
            raise Refusal("Transfer-Encoding must be chunked, without a Content-Length")
        return -1
    if not lengths:
        return 0
    if len(set(lengths)) > 1 or not re.fullmatch(r"[0-9]{1,18}", lengths[0].strip()):
        raise Refusal("Content-Length is not a number")
    length = int(lengths[0])
    if length > max_bytes:
        raise too_large(max_bytes)
    return length


def read_body(source: BinaryIO, length: int, max_bytes: int) -> bytes:
    try:
        return _read_exactly(source, length) if length >= 0 else _read_chunks(source, max_bytes)
    except socket.timeout:
        raise Refusal("the request took too long to arrive", status=408) from None


def too_large(max_bytes: int) -> Refusal:
    details = {"field": "", "message": "is too large", "max_bytes": max_bytes}
    return Refusal(f"the request is larger than {max_bytes} bytes", status=413, details=details)


def _read_chunks(source: BinaryIO, max_bytes: int) -> bytes:
    chunks: List[bytes] = []
    total = 0
    while True:
        size = _read_line(source).partition(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,16}", size):
            raise Refusal("a chunk has no size")
        length = int(size, 16)
        total += length
        if total > max_bytes:
            raise too_large(max_bytes)
        if length == 0:
            break
        chunks.append(_read_exactly(source, length))
        if _read_exactly(source, 2) != b"\r\n":
            raise Refusal("a chunk is longer than it says")
    for _ in range(_MAX_TRAILERS):
        if _read_line(source) == b"":
            return b"".join(chunks)
    raise Refusal("there are too many trailers")


def _read_line(source: BinaryIO) -> bytes:
    line = source.readline(_MAX_LINE)
    if not line.endswith(b"\n"):
        raise ConnectionResetError("cut off") if len(line) < _MAX_LINE else Refusal("a line of a chunk is too long")
    return line.rstrip(b"\r\n")


def _read_exactly(source: BinaryIO, length: int) -> bytes:
    data = source.read(length)
    if len(data) < length:
        raise ConnectionResetError("the client left in the middle of its request")
    return data
