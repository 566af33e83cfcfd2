"""Labs in processes of their own: a mock OAuth server and a receiver of push notifications. docs/reference/labs.md describes them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, TypeVar

from .control import Control, ControlError
from .program import Program

Self = TypeVar("Self", bound="Lab")


class Lab:
    """A server that remembers what reached it. `start()` returns when it can be reached; `stop()` ends it. A `with` statement does both."""

    _kind = ""
    _log = ""

    def __init__(self, script: Optional[str] = None, *, port: int = 0) -> None:
        self._arguments = [*([] if script is None else [str(script)]), "--port", str(port)]
        self._program: Optional[Program] = None
        self._control: Optional[Control] = None

    def start(self: Self) -> Self:
        """Starts the lab; nothing happens when it runs already."""
        if self._program is None:
            self._program = Program(self._arguments, self._kind)
            self._control = Control(self._program.ready["control_url"])
        return self

    def stop(self) -> None:
        """Stops the lab; nothing happens when it does not run."""
        program, self._program, self._control = self._program, None, None
        if program is not None:
            program.stop()

    def __enter__(self: Self) -> Self:
        return self.start()

    def __exit__(self, *_: Any) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Address of the lab."""
        return str(self._ready("url"))

    def wait_for(self, count: int, timeout: float = 10.0) -> List[Dict[str, Any]]:
        """Returns what arrived as soon as there are `count` items. Raises TimeoutError when they do not arrive in time."""
        query = {"count": count, "timeout_ms": int(timeout * 1000)}
        try:
            return self._call("GET", f"/{self._log}/wait", query=query, timeout=timeout + 60)["items"]
        except ControlError as error:
            if error.status == 408:
                raise TimeoutError(str(error)) from None
            raise

    def _ready(self, name: str) -> Any:
        if self._program is None:
            raise RuntimeError("the lab does not run; call start() first")
        return self._program.ready[name]

    def _call(self, *args: Any, **kwargs: Any) -> Any:
        if self._control is None:
            raise RuntimeError("the lab does not run; call start() first")
        return self._control.call(*args, **kwargs)


class OAuthLab(Lab):
    """A mock OAuth 2.0 and OpenID Connect server. Without a script it has the client `test` with the secret `secret`."""

    _kind = "oauth"
    _log = "requests"

    @property
    def issuer(self) -> str:
        """The issuer that tokens and metadata name."""
        return str(self._ready("issuer"))

    @property
    def requests(self) -> List[Dict[str, Any]]:
        """All requests so far, oldest first. Secrets and tokens in them are replaced."""
        return self._call("GET", "/requests")["items"]

    def clear_requests(self) -> None:
        """Forgets all requests so far."""
        self._call("DELETE", "/requests")

    def set_faults(self, faults: Sequence[Dict[str, Any]]) -> None:
        """Replaces all faults. An example: `[{"at": "token", "status": 503, "times": 1}]`."""
        self._call("PUT", "/faults", list(faults))

    def rollover(self) -> str:
        """Makes the server sign with a new key from now on. Returns the `kid` of that key."""
        return str(self._call("POST", "/rollover")["kid"])

    def verify(
        self, token: str, scopes: Optional[Sequence[str]] = None, audience: Optional[str] = None
    ) -> Dict[str, Any]:
        """Says whether an access token is valid, and if not, why."""
        body: Dict[str, Any] = {"token": token}
        if scopes is not None:
            body["scopes"] = list(scopes)
        if audience is not None:
            body["audience"] = audience
        return self._call("POST", "/verify", body)


class PushReceiver(Lab):
    """A receiver of push notifications and webhooks at every path below `url`. Without a script it accepts everything."""

    _kind = "push"
    _log = "deliveries"

    @property
    def deliveries(self) -> List[Dict[str, Any]]:
        """All deliveries so far, oldest first."""
        return self._call("GET", "/deliveries")["items"]

    def clear_deliveries(self) -> None:
        """Forgets all deliveries so far."""
        self._call("DELETE", "/deliveries")

    def set_answers(self, answers: Sequence[Dict[str, Any]]) -> None:
        """Replaces the answers to deliveries. An example: `[{"status": 503, "times": 1}]`."""
        self._call("PUT", "/answers", list(answers))
