"""Turns bytes into a request that can be trusted, or into a refusal that names the field."""

from __future__ import annotations

from itertools import islice
from typing import Any, Dict, Optional

from . import json_text
from .errors import Refusal
from .schema import REQUEST, problems

Request = Dict[str, Any]

#: Task id of a response to a request without a usable one.
NO_TASK_ID = "00000000-0000-0000-0000-000000000000"
DEFAULT_TIMEOUT_SECONDS = 300
_MAX_PROBLEMS = 20
_MAX_PATH = 200


def parse_request(data: bytes) -> Request:
    return check_request(parse_object(data))


def parse_object(data: bytes) -> Dict[str, Any]:
    try:
        message = json_text.decode(data)
    except ValueError as error:
        raise Refusal(f"the request is {error}", details={"field": "", "message": str(error)}) from None
    if not isinstance(message, dict):
        raise Refusal("the request must be an object", details={"field": "", "message": "must be an object"})
    return message


def check_request(message: Dict[str, Any]) -> Request:
    task_id = known_task_id(message)
    found = [(at[:_MAX_PATH], why) for at, why in islice(problems(message, REQUEST), _MAX_PROBLEMS)]
    if found:
        field, reason = found[0]
        listed = [{"field": at, "message": why} for at, why in found]
        details = {"field": field, "message": reason, "problems": listed}
        raise Refusal(f"{field} {reason}", details=details, task_id=task_id)
    if int(message["version"].split(".")[0]) != 1:
        details = {"field": "version", "message": "is not supported", "supported": ["1.0"]}
        raise Refusal(f"version {message['version']} is not supported", details=details, task_id=task_id)
    return message


def known_task_id(message: Dict[str, Any]) -> Optional[str]:
    task_id = message.get("task_id")
    return task_id if isinstance(task_id, str) and 0 < len(task_id) <= 256 else None


def timeout_of(request: Request) -> float:
    return float(request.get("constraints", {}).get("timeout_seconds", DEFAULT_TIMEOUT_SECONDS))


def environment_of(request: Request) -> Dict[str, str]:
    return dict(request.get("context", {}).get("environment", {}))
