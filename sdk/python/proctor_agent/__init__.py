"""Write an agent as one function; serve it over stdin/stdout, HTTP and WebSocket with the Agent Test Protocol."""

from .artifacts import Artifact, file, reference, structured
from .emit import Emit
from .errors import AgentError, Cancelled, ToolError
from .limits import Limits
from .result import Result
from .serve import serve
from .task import Task
from .tools import Tools

__all__ = [
    "AgentError",
    "Artifact",
    "Cancelled",
    "Emit",
    "Limits",
    "Result",
    "Task",
    "ToolError",
    "Tools",
    "file",
    "reference",
    "serve",
    "structured",
]
__version__ = "0.1.0"
