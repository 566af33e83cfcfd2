"""Repeats a request when that may help: after a rate limit, a server error or a broken connection. Waits as the endpoint asks."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from . import json_text
from .errors import LLMError
from .llm_errors import error_of_answer, is_worth_retrying
from .llm_http import Answer, post

if TYPE_CHECKING:
    from .llm import LLM

#: Longest wait in seconds. A call that would have to wait longer fails at once, because the harness would not wait either.
MAX_WAIT_SECONDS = 60.0


def post_until_answered(llm: "LLM", payload: Dict[str, Any], key: str, read: Optional[Callable[[Answer], Any]]) -> Any:
    """Returns what `read` makes of the first good answer, or without `read` the open answer itself."""
    headers = {"Content-Type": "application/json", "Connection": "close"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    body = json_text.dumps(payload).encode()
    attempt = 0
    while True:
        try:
            return _post_once(llm, payload["model"], headers, body, read)
        except LLMError as error:
            _complete(error, llm, payload["model"], key)
            wait = error.details.get("retry_after_seconds", min(0.5 * 2**attempt, 8.0) * random.uniform(0.5, 1.0))
            if attempt >= llm.retries or not is_worth_retrying(error) or wait > MAX_WAIT_SECONDS:
                raise
        attempt += 1
        llm.count_retry()
        time.sleep(wait)


def _post_once(llm: "LLM", model: str, headers: Dict[str, str], body: bytes, read: Optional[Callable[[Answer], Any]]) -> Any:
    answer = post(_address(llm.url), headers, body, llm.timeout)
    is_kept = False
    try:
        if not 200 <= answer.status < 300:
            text = answer.read(time.monotonic() + llm.timeout)
            raise error_of_answer(answer.status, text, answer.headers, model, llm.provider)
        if read is not None:
            return read(answer)
        is_kept = True
        return answer
    finally:
        if not is_kept:
            answer.close()


def _address(url: Optional[str]) -> str:
    if not url:
        raise LLMError("no_api_url", "LLM_API_URL is not set: run the agent with proctor, or give a url")
    base = url.rstrip("/")
    return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


def _complete(error: LLMError, llm: "LLM", model: str, key: str) -> None:
    """Completes the details of an error and removes the key: an endpoint may quote it, and messages end up in logs."""
    error.details.setdefault("model", model)
    error.details.setdefault("provider", llm.provider)
    if key and key in error.message:
        error.message = error.message.replace(key, "[key]")
        error.args = (error.message,)
