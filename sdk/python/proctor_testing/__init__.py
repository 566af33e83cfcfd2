"""Doubles for the tests of Python programs: the scripted A2A agent of document 001, an OAuth server and a push receiver, with pytest fixtures."""

from .agent_server import TestA2AAgentServer
from .directives import directives
from .labs import OAuthLab, PushReceiver

__all__ = ["OAuthLab", "PushReceiver", "TestA2AAgentServer", "directives"]
