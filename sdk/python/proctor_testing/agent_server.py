"""The declarative test A2A agent server of document 001 (section 3.1), in a process of its own."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from .control import Control, ControlError
from .program import Program, arguments_for


class TestA2AAgentServer:
    """An A2A agent without a model: tests say what it answers, in their messages or by `prime`.

    `start()` returns when the agent can be reached at `url`; `stop()` ends it. A `with` statement does both.
    """

    # The name begins with "Test", so pytest would collect the class.
    __test__ = False

    def __init__(
        self,
        script: Optional[str] = None,
        *,
        port: int = 0,
        packs: Sequence[str] = (),
        faults: Sequence[str] = (),
        arguments: Sequence[str] = (),
    ) -> None:
        self._arguments = arguments_for(script, port, packs, faults, arguments)
        self._program: Optional[Program] = None
        self._control: Optional[Control] = None
        self._url: Optional[str] = None

    def start(self) -> "TestA2AAgentServer":
        """Starts the agent; nothing happens when it runs already."""
        if self._program is not None:
            return self
        program = Program(self._arguments)
        control_url = program.ready["control_url"]
        self._program = program
        self._control = Control(control_url)
        self._url = control_url[: -len("/__control")]
        return self

    def stop(self) -> None:
        """Stops the agent; nothing happens when it does not run."""
        program, self._program, self._control, self._url = self._program, None, None, None
        if program is not None:
            program.stop()

    def __enter__(self) -> "TestA2AAgentServer":
        return self.start()

    def __exit__(self, *_: Any) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Address of the agent. Its card is at `/.well-known/agent-card.json` below it."""
        if self._url is None:
            raise RuntimeError("the agent does not run; call start() first")
        return self._url

    @property
    def captured_requests(self) -> List[Dict[str, Any]]:
        """All requests so far, oldest first, with headers, body, time, operation, version, test_case_id and more."""
        return self.requests()

    def requests(self, test_case_id: Optional[str] = None, operation: Optional[str] = None) -> List[Dict[str, Any]]:
        """Returns the captured requests of one test case, or of one operation (`send`, `stream`, `cancelTask`, …)."""
        query = {"test_case_id": test_case_id, "operation": operation}
        return self._call("GET", "/requests", query=query)["items"]

    def wait_for_requests(
        self,
        count: int,
        timeout: float = 10.0,
        test_case_id: Optional[str] = None,
        operation: Optional[str] = None,
    ) -> List[Dict[str, Any]]:
        """Returns the requests as soon as there are `count` of them. Raises TimeoutError when they do not arrive in time."""
        query = {
            "count": count,
            "timeout_ms": int(timeout * 1000),
            "test_case_id": test_case_id,
            "operation": operation,
        }
        try:
            return self._call("GET", "/requests/wait", query=query, timeout=timeout + 60)["items"]
        except ControlError as error:
            if error.status == 408:
                raise TimeoutError(str(error)) from None
            raise

    def clear_captured_requests(self, test_case_id: Optional[str] = None) -> None:
        """Forgets the captured requests of one test case, or all of them."""
        self._call("DELETE", "/requests", query={"test_case_id": test_case_id})

    def clear_stateful_responses_cache(self, test_case_id: Optional[str] = None) -> None:
        """Forgets the sequences of one test case, or all of them, with their tasks."""
        self._call("POST", "/reset", query={"test_case_id": test_case_id})

    clear_state = clear_stateful_responses_cache

    def prime(self, responses: Sequence[Any], test_case_id: Optional[str] = None) -> None:
        """Sets the turns of the next task, or of those of a test case, as a list of lists of A2A events."""
        body: Dict[str, Any] = {"responses": list(responses)}
        if test_case_id is not None:
            body["test_case_id"] = test_case_id
        self._call("POST", "/prime", body)

    def set_faults(self, *faults: str) -> None:
        """Replaces the faults of every turn. Without arguments the agent has none."""
        self._call("PUT", "/faults", {"faults": list(faults)})

    def stop_clock(self) -> None:
        """Stops the clock of the agent. Delays of scripts then end only by `advance`."""
        self._call("POST", "/clock", {"stop": True})

    def advance(self, seconds: float) -> None:
        """Moves a stopped clock forward."""
        self._call("POST", "/clock", {"advance_ms": int(seconds * 1000)})

    def _call(self, *args: Any, **kwargs: Any) -> Any:
        if self._control is None:
            raise RuntimeError("the agent does not run; call start() first")
        return self._control.call(*args, **kwargs)
