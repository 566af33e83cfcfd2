"""What an agent is: one method that answers a request, and two that may be left out."""

from __future__ import annotations

from .request import Request
from .response import Response


class Agent:
    """Lives as long as the task: what `setup` or `solve` keep in `self` is there at the next step. Methods may be `async`."""

    def setup(self) -> None:
        """Once, before the first request is read."""

    def solve(self, req: Request) -> Response:
        """For each request. What it raises ends the process with an error; it never counts as a finished task."""
        raise NotImplementedError(f"{type(self).__name__} has no method solve(self, req)")

    def cleanup(self) -> None:
        """Once at the end, whatever happened before."""
