"""The pytest plugin. pytest finds it by its entry point, so a test only names the fixture (document 001, section 3.3)."""

from __future__ import annotations

from typing import Iterator

import pytest

from .agent_server import TestA2AAgentServer
from .labs import OAuthLab, PushReceiver


@pytest.fixture(scope="session")
def test_a2a_agent_server() -> Iterator[TestA2AAgentServer]:
    """Provides one scripted agent for the whole session. Test cases are isolated by their `test_case_id`."""
    server = TestA2AAgentServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def oauth_lab() -> Iterator[OAuthLab]:
    """Provides a mock OAuth and OpenID Connect server for one test, with the client `test` and the secret `secret`."""
    with OAuthLab() as lab:
        yield lab


@pytest.fixture
def push_receiver() -> Iterator[PushReceiver]:
    """Provides a receiver of push notifications for one test. It accepts everything until `set_answers` says otherwise."""
    with PushReceiver() as receiver:
        yield receiver
