"""The one call at the end of an agent's file: pipes by default, a server when the command line has `--serve`."""

from __future__ import annotations

import re
import sys
from typing import Optional, Sequence, Tuple

from .limits import Limits
from .run import Agent
from .server import serve_network
from .stdio import serve_stdio

USAGE = "--serve takes a port or host:port, for example --serve 8000 or --serve 127.0.0.1:8000"
DEFAULT_HOST = "127.0.0.1"


def serve(agent: Agent, argv: Optional[Sequence[str]] = None, limits: Limits = Limits()) -> None:
    """Serves until the task has ended (pipes) or a signal arrives (`--serve`). Other arguments are left to the agent."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        address = find_address(arguments)
        code = serve_stdio(agent, limits) if address is None else serve_network(agent, limits, *address)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        code = 2
    if code:
        sys.exit(code)


class UsageError(Exception):
    pass


def find_address(arguments: Sequence[str]) -> Optional[Tuple[str, int]]:
    """Returns host and port of `--serve [port|host:port]` or `--serve=…`; None when there is no such argument."""
    for index, argument in enumerate(arguments):
        if argument.startswith("--serve="):
            return parse_address(argument[len("--serve=") :])
        if argument == "--serve":
            following = arguments[index + 1 : index + 2]
            return parse_address(following[0] if following and not following[0].startswith("-") else "")
    return None


def parse_address(text: str) -> Tuple[str, int]:
    match = re.fullmatch(r"(?:(\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]*):)?([0-9]{1,5})", text or "0")
    if match is None or int(match.group(2)) > 65_535:
        raise UsageError(f"{text!r} is no address: {USAGE}")
    return (match.group(1) or DEFAULT_HOST).strip("[]"), int(match.group(2))
