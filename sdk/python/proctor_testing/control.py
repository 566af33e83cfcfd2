"""The control API of a scripted agent over HTTP. docs/reference/scripted-agent.md describes it."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Optional

TIMEOUT_SECONDS = 60.0


class ControlError(Exception):
    """The agent refused a request of its control API. The message says why."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Control:
    """Talks to one agent. Proxies of the environment are not used, because the agent is on this machine."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Dict[str, Any]] = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> Any:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        suffix = f"?{urllib.parse.urlencode(given)}" if given else ""
        data = None if body is None else json.dumps(body).encode("utf-8")
        headers = {} if data is None else {"content-type": "application/json"}
        request = urllib.request.Request(f"{self._url}{path}{suffix}", data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise ControlError(_message_of(error), error.code) from None
        return json.loads(text) if text else None


def _message_of(error: urllib.error.HTTPError) -> str:
    text = error.read().decode("utf-8", "replace")
    try:
        return str(json.loads(text)["message"])
    except (ValueError, KeyError, TypeError):
        return text or f"HTTP {error.code}"
