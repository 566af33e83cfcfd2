"""Keeps web pages out: a browser says where a page is from, and a page of another host must not drive this agent."""

from __future__ import annotations

import ipaddress
from email.message import Message
from urllib.parse import urlsplit

from .errors import Refusal


def check_origin(headers: Message) -> None:
    """Refuses pages of other machines. Programs send no Origin, and are let in."""
    origin = headers.get("Origin")
    if origin is None:
        return
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        host = ""
    if not is_loopback(host):
        details = {"field": "Origin", "message": "is not of this machine"}
        raise Refusal("pages of other machines may not call this agent", status=403, details=details)


def is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
