"""Runs an agent: a line in, a line out, until it says that the task is complete or the harness closes the input."""

from __future__ import annotations

import signal
import sys
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, Union

from .agent import Agent
from .protocol_streams import ProtocolStreams
from .request import Request
from .response import Response

if TYPE_CHECKING:
    import asyncio


def run(agent: Agent) -> None:
    """Runs the agent of a program.

    An error ends the process with a non-zero exit code and its traceback on stderr. It never counts as a finished task.
    """
    code = 0
    with ProtocolStreams() as streams, _terminated_as_exit():
        try:
            run_loop(agent, streams.lines(), streams)
        except KeyboardInterrupt:
            code = 128 + signal.SIGINT
        except BrokenPipeError:
            _tell("the harness is gone")
            code = 1
        except Exception as error:
            traceback.print_exc()
            _tell(f"the agent failed: {type(error).__name__}: {error}")
            code = 1
    if code != 0:
        sys.exit(code)


def run_loop(agent: Agent, stdin: Optional[Iterable[Union[str, bytes]]] = None, stdout: Any = None) -> Optional[Response]:
    """Runs an agent on the given streams, for tests. Raises what the agent raises, and returns its last answer."""
    lines = sys.stdin if stdin is None else stdin
    out = sys.stdout if stdout is None else stdout
    finish = _Finish()
    response: Optional[Response] = None
    try:
        finish(agent.setup())
        for line in lines:
            if not line.strip():
                continue
            response = finish(agent.solve(Request.parse(line)))
            if not isinstance(response, Response):
                raise TypeError(f"solve returned {type(response).__name__}, not a Response")
            out.write(response.to_json() + "\n")
            out.flush()
            if response.task_complete:
                break
    except BaseException:
        _cleanup_after_error(agent, finish)
        raise
    else:
        finish(agent.cleanup())
    finally:
        finish.close()
    return response


class _Finish:
    """Waits for `async` methods. All of them run in one event loop, so that clients that they open stay usable."""

    def __init__(self) -> None:
        self._loop: "Optional[asyncio.AbstractEventLoop]" = None

    def __call__(self, value: Any) -> Any:
        if not hasattr(value, "__await__"):
            return value
        if self._loop is None:
            import asyncio  # loaded only when it is needed, because it takes longer to load than all the rest

            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(_wait(value))

    def close(self) -> None:
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
            self._loop = None


async def _wait(value: Any) -> Any:
    return await value


def _cleanup_after_error(agent: Agent, finish: _Finish) -> None:
    """Calls cleanup. The first error is the one that is raised; an error of cleanup is only printed."""
    try:
        finish(agent.cleanup())
    except Exception:
        traceback.print_exc()


@contextmanager
def _terminated_as_exit() -> Iterator[None]:
    """Makes SIGTERM unwind the program, so that cleanup is called. A second SIGTERM ends it at once."""

    def leave(number: int, _frame: Any) -> None:
        signal.signal(number, signal.SIG_DFL)
        sys.exit(128 + number)

    try:
        before = signal.signal(signal.SIGTERM, leave)
    except ValueError:  # not the main thread, so the program keeps its own signal handlers
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(message: str) -> None:
    print(f"term_sdk: {message}", file=sys.stderr, flush=True)
