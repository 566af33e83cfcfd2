"""Frames of RFC 6455 on the server's side: unmasks and checks those that arrive, encodes those that are sent."""

from __future__ import annotations

import struct
from typing import BinaryIO, List, NamedTuple, Optional, Tuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
_DATA = (CONTINUATION, TEXT, BINARY)
_CONTROL = (CLOSE, PING, PONG)
_MAX_CONTROL = 125


class CloseWith(Exception):
    """The connection must be closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Frame(NamedTuple):
    is_last: bool
    opcode: int
    payload: bytes


class Message(NamedTuple):
    opcode: int
    payload: bytes


class FrameReader:
    """Joins fragments to messages. Control frames between them are returned at once."""

    def __init__(self, source: BinaryIO, max_bytes: int) -> None:
        self._source = source
        self._max_bytes = max_bytes
        self._opcode: Optional[int] = None
        self._parts: List[bytes] = []
        self._size = 0

    @property
    def is_inside_message(self) -> bool:
        return self._opcode is not None

    def read(self) -> Optional[Message]:
        """Reads a frame and returns its message; None when it is a fragment and more must follow."""
        frame = self._read_frame()
        if frame.opcode in _CONTROL:
            return Message(frame.opcode, frame.payload)
        if self._opcode is None:
            self._opcode = frame.opcode
        self._parts.append(frame.payload)
        self._size += len(frame.payload)
        if not frame.is_last:
            return None
        message = Message(self._opcode, b"".join(self._parts))
        self._opcode, self._parts, self._size = None, [], 0
        return message

    def _read_frame(self) -> Frame:
        first, second = self._exactly(2)
        is_last, opcode = bool(first & 0x80), first & 0x0F
        length = second & 0x7F
        self._check_head(first, second, is_last, opcode, length)
        if length == 126:
            (length,) = struct.unpack("!H", self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._exactly(8))
        if self._size + length > self._max_bytes:
            raise CloseWith(1009, f"a message may have {self._max_bytes} bytes")
        key = self._exactly(4)
        return Frame(is_last, opcode, _unmask(self._exactly(length), key))

    def _check_head(self, first: int, second: int, is_last: bool, opcode: int, length: int) -> None:
        if first & 0x70:
            raise CloseWith(1002, "reserved bits are set")
        if opcode not in _DATA and opcode not in _CONTROL:
            raise CloseWith(1002, "unknown opcode")
        if not second & 0x80:
            raise CloseWith(1002, "a client must mask its frames")
        if opcode in _CONTROL and (not is_last or length > _MAX_CONTROL):
            raise CloseWith(1002, "a control frame is fragmented or too long")
        if opcode in _DATA and (opcode == CONTINUATION) != (self._opcode is not None):
            raise CloseWith(1002, "fragments are out of order")
        if opcode == BINARY:
            raise CloseWith(1003, "messages are text")

    def _exactly(self, length: int) -> bytes:
        data = self._source.read(length)
        if len(data) < length:
            raise ConnectionResetError("the client left in the middle of a frame")
        return data


def encode_frame(opcode: int, payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:
        head = struct.pack("!BB", 0x80 | opcode, length)
    elif length < 1 << 16:
        head = struct.pack("!BBH", 0x80 | opcode, 126, length)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 127, length)
    return head + payload


def encode_close(code: int, reason: str = "") -> bytes:
    text = reason.encode("utf-8")[: _MAX_CONTROL - 2].decode("utf-8", "ignore").encode("utf-8")
    return encode_frame(CLOSE, struct.pack("!H", code) + text)


def parse_close(payload: bytes) -> Tuple[int, str]:
    """Returns the code and the reason of the peer; the code is 1000 when it gives none."""
    if not payload:
        return 1000, ""
    if len(payload) == 1:
        raise CloseWith(1002, "a close frame is cut off")
    (code,) = struct.unpack("!H", payload[:2])
    if not (1000 <= code <= 1014 and code not in (1004, 1005, 1006) or 3000 <= code <= 4999):
        raise CloseWith(1002, "that is no close code")
    try:
        return code, payload[2:].decode("utf-8")
    except UnicodeDecodeError:
        raise CloseWith(1007, "the reason is not UTF-8") from None


def _unmask(data: bytes, key: bytes) -> bytes:
    """Combines data and key as two large numbers, because a loop over ten million bytes would take seconds."""
    length = len(data)
    mask = (key * (length // 4 + 1))[:length]
    return (int.from_bytes(data, "little") ^ int.from_bytes(mask, "little")).to_bytes(length, "little")
