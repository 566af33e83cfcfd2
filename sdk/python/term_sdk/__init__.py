"""Write an agent that works in a terminal: it gets a request, it answers with a command, until the task is done."""

from typing import TYPE_CHECKING, Any

from .agent import Agent
from .errors import LLMError, RequestError, ResponseError
from .llm_response import LLMResponse
from .request import Request
from .response import Response
from .runner import run, run_loop
from .tool import FunctionCall, Tool

if TYPE_CHECKING:
    from .llm import LLM

AgentRequest = Request
AgentResponse = Response

__all__ = [
    "Agent",
    "AgentRequest",
    "AgentResponse",
    "FunctionCall",
    "LLM",
    "LLMError",
    "LLMResponse",
    "Request",
    "RequestError",
    "Response",
    "ResponseError",
    "Tool",
    "run",
    "run_loop",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Loads the model, and with it HTTP, only for agents that use it. The others start faster."""
    if name == "LLM":
        from .llm import LLM

        return LLM
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
