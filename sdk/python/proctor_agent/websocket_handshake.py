"""The opening handshake of RFC 6455, and the subprotocol `atp.v1`."""

from __future__ import annotations

import base64
import binascii
import hashlib
from email.message import Message
from typing import List, Tuple

from .errors import Refusal

SUBPROTOCOL = "atp.v1"
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def wants_websocket(headers: Message) -> bool:
    return "websocket" in _tokens(headers, "Upgrade")


def accept_websocket(headers: Message, http_version: str) -> List[Tuple[str, str]]:
    """Returns the headers of the answer. Raises Refusal when the request is not a valid handshake."""
    if http_version != "HTTP/1.1" or "upgrade" not in _tokens(headers, "Connection"):
        raise Refusal("a WebSocket needs HTTP/1.1 and Connection: Upgrade")
    if headers.get("Sec-WebSocket-Version", "").strip() != "13":
        raise Refusal("only WebSocket version 13 is known", status=426, headers=[("Sec-WebSocket-Version", "13")])
    key = headers.get("Sec-WebSocket-Key", "").strip()
    try:
        complete = len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        complete = False
    if not complete:
        raise Refusal("Sec-WebSocket-Key is not 16 bytes in base64")
    offered = _tokens(headers, "Sec-WebSocket-Protocol")
    if offered and SUBPROTOCOL not in offered:
        details = {"field": "Sec-WebSocket-Protocol", "message": "is not supported", "supported": [SUBPROTOCOL]}
        raise Refusal(f"the subprotocol is {SUBPROTOCOL}", details=details)
    accept = base64.b64encode(hashlib.sha1(key.encode("ascii") + _GUID).digest()).decode("ascii")
    answer = [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)]
    return [*answer, ("Sec-WebSocket-Protocol", SUBPROTOCOL)] if offered else answer


def _tokens(headers: Message, name: str) -> List[str]:
    values = headers.get_all(name) or []
    return [token.strip().lower() for value in values for token in value.split(",") if token.strip()]
