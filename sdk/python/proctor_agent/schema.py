"""The JSON Schema of an ATP request as the protocol's document prints it, and the few keywords it needs.

It is looser where real clients need it: a task id need not be a UUID, an expected artifact may be a bare name, and
`allowed_tools` may be null, as the document's table of fields says. Sizes that the schema leaves open have a limit here.
"""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, Tuple

Schema = Dict[str, Any]

REQUEST: Schema = {
    "type": "object",
    "required": ["version", "task_id", "task"],
    "properties": {
        "version": {"type": "string", "pattern": r"^[0-9]{1,9}\.[0-9]{1,9}\Z"},
        "task_id": {"type": "string", "minLength": 1, "maxLength": 256},
        "task": {
            "type": "object",
            "required": ["description"],
            "properties": {
                "description": {"type": "string", "minLength": 1, "maxLength": 10_000},
                "input_data": {"type": "object"},
                "expected_artifacts": {
                    "type": "array",
                    "items": {
                        "type": ["object", "string"],
                        "properties": {
                            "type": {"type": "string", "enum": ["file", "structured"]},
                            "format": {"type": "string"},
                            "name": {"type": "string"},
                        },
                    },
                },
            },
        },
        "constraints": {
            "type": "object",
            "properties": {
                "max_steps": {"type": "integer", "minimum": 1, "maximum": 1000},
                "max_tokens": {"type": "integer", "minimum": 1, "maximum": 10_000_000},
                "timeout_seconds": {"type": "integer", "minimum": 1, "maximum": 86_400},
                "allowed_tools": {"type": ["array", "null"], "items": {"type": "string"}},
                "budget_usd": {"type": "number", "minimum": 0},
            },
        },
        "context": {
            "type": "object",
            "properties": {
                "tools_endpoint": {"type": "string", "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s\x00-\x1f]+\Z"},
                "workspace_path": {"type": "string"},
                "environment": {"type": "object", "maxProperties": 1000, "additionalProperties": {"type": "string"}},
            },
        },
        "metadata": {"type": "object"},
    },
}


def problems(value: Any, schema: Schema, path: str = "") -> Iterator[Tuple[str, str]]:
    """Yields every place where the value breaks the schema, with a message."""
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is_a(value, name) for name in types):
        yield path, f"must be {_with_article(' or '.join(types))}"
        return
    if isinstance(value, str):
        yield from _text_problems(value, schema, path)
    elif isinstance(value, dict):
        yield from _object_problems(value, schema, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from problems(item, schema["items"], f"{path}[{index}]")
    elif value is None:
        return
    elif value < schema.get("minimum", value):
        yield path, f"must be at least {schema['minimum']}"
    elif value > schema.get("maximum", value):
        yield path, f"must be at most {schema['maximum']}"


def _text_problems(value: str, schema: Schema, path: str) -> Iterator[Tuple[str, str]]:
    if len(value) < schema.get("minLength", 0):
        yield path, "must not be empty"
    if len(value) > schema.get("maxLength", len(value)):
        yield path, f"must have at most {schema['maxLength']} characters"
    if "pattern" in schema and not re.match(schema["pattern"], value):
        yield path, "has the wrong form"
    if "enum" in schema and value not in schema["enum"]:
        yield path, f"must be one of {', '.join(schema['enum'])}"


def _object_problems(value: Dict[str, Any], schema: Schema, path: str) -> Iterator[Tuple[str, str]]:
    prefix = f"{path}." if path else ""
    properties = schema.get("properties", {})
    if len(value) > schema.get("maxProperties", len(value)):
        yield path, f"must have at most {schema['maxProperties']} entries"
    for name in schema.get("required", []):
        if name not in value:
            yield f"{prefix}{name}", "is missing"
    for name, item in value.items():
        rule = properties.get(name, schema.get("additionalProperties"))
        if rule is not None:
            yield from problems(item, rule, f"{prefix}{name}")


def _is_a(value: Any, name: str) -> bool:
    if name in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return name == "number" or isinstance(value, int) or value.is_integer()
    return isinstance(value, {"object": dict, "array": list, "string": str, "null": type(None)}[name])


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'aio' else 'a'} {name}"
