"""Which media types a request may have and which its answer gets: the protocol's own, or plain JSON."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

from .errors import Refusal

ATP = "application/vnd.atp.v1+json"
JSON = "application/json"
EVENT_STREAM = "text/event-stream"
_QUALITY = re.compile(r";\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*(?:;|$)", re.IGNORECASE)
_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)


def check_content_type(header: Optional[str]) -> str:
    kind = (header or "").partition(";")[0].strip().lower()
    charset = _CHARSET.search(header or "")
    if kind in (ATP, JSON) and (charset is None or charset.group(1).lower() in ("utf-8", "utf8")):
        return kind
    details = {"field": "Content-Type", "message": "is not supported", "supported": [ATP, JSON]}
    raise Refusal(f"the request must be {ATP} or {JSON}, in UTF-8", status=415, details=details)


def negotiate(accept: Optional[str], content_type: str, streaming: bool) -> str:
    """Returns the type of a JSON answer: the one that is preferred most, or that of the request when none is preferred."""
    if accept is None or not accept.strip():
        return content_type
    wanted = _parse(accept)
    other = JSON if content_type == ATP else ATP
    ranked: List[Tuple[float, str]] = [(_quality(wanted, kind), kind) for kind in (content_type, other)]
    best = max(ranked, key=lambda entry: entry[0])
    if best[0] > 0:
        return best[1]
    if streaming and _quality(wanted, EVENT_STREAM) > 0:
        return content_type
    supported = [ATP, JSON, *([EVENT_STREAM] if streaming else [])]
    details = {"field": "Accept", "message": "is not supported", "supported": supported}
    raise Refusal(f"the answer can only be {' or '.join(supported)}", status=406, details=details)


def _parse(accept: str) -> List[Tuple[str, float]]:
    entries: List[Tuple[str, float]] = []
    for entry in accept.split(","):
        quality = _QUALITY.search(entry)
        entries.append((entry.partition(";")[0].strip().lower(), float(quality.group(1)) if quality else 1.0))
    return entries


def _quality(wanted: List[Tuple[str, float]], kind: str) -> float:
    """Returns the quality of the most specific range that contains the type."""
    for name in (kind, f"{kind.partition('/')[0]}/*", "*/*"):
        found = [quality for entry, quality in wanted if entry == name]
        if found:
            return max(found)
    return 0.0
