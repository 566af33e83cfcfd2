"""What an agent is: one method that answers a request, and two that may be left out."""

from __future__ import annotations

from .request import Request
from .response import Response


class Agent:
    """An agent lives as long as its task, so what a method keeps in `self` is there at the next step. Methods may be `async`."""

    def setup(self) -> None:
        """Called once, before the first request is read."""

    def solve(self, req: Request) -> Response:
        """Called for each request. An error that it raises ends the process and never counts as a finished task."""
        raise NotImplementedError(f"{type(self).__name__} has no method solve(self, req)")

    def cleanup(self) -> None:
        """Called once at the end, even after an error."""
