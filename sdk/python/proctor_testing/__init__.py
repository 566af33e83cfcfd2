"""A scripted A2A agent for the tests of Python programs: the server of document 001, and its pytest fixture."""

from .agent_server import TestA2AAgentServer
from .directives import directives

__all__ = ["TestA2AAgentServer", "directives"]
