"""Counts the calls of the model, their tokens and their cost. The hub counts too, and its count is the one that is billed."""

from __future__ import annotations

from typing import Any, Dict

from .llm_response import LLMResponse

_NONE = {"requests": 0, "tokens": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}


class Stats:
    def __init__(self) -> None:
        self.errors = 0
        self.retries = 0
        self._models: Dict[str, Dict[str, Any]] = {}

    def count(self, model: str, response: LLMResponse) -> None:
        counted = self._models.setdefault(model, dict(_NONE))
        counted["requests"] += 1
        counted["tokens"] += response.tokens
        counted["input_tokens"] += response.input_tokens
        counted["output_tokens"] += response.output_tokens
        counted["cost"] += response.cost

    def of(self, model: str) -> Dict[str, Any]:
        return dict(self._models.get(model, _NONE))

    def all(self) -> Dict[str, Any]:
        def total(name: str) -> Any:
            return sum(counted[name] for counted in self._models.values())

        return {
            "request_count": total("requests"),
            "error_count": self.errors,
            "retry_count": self.retries,
            "total_tokens": total("tokens"),
            "input_tokens": total("input_tokens"),
            "output_tokens": total("output_tokens"),
            "total_cost": float(total("cost")),
            "per_model": {model: dict(counted) for model, counted in self._models.items()},
        }
