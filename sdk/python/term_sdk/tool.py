"""Functions that a model may call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Optional


@dataclass
class Tool:
    name: str
    description: str = ""
    #: JSON Schema of the arguments; empty for a function without any.
    parameters: Dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> Dict[str, Any]:
        parameters = self.parameters or {"type": "object", "properties": {}}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


@dataclass
class FunctionCall:
    """A call that a model asks for. `text` is what it wrote; `arguments` is None when that is not a JSON object."""

    name: str
    arguments: Optional[Dict[str, Any]]
    id: Optional[str] = None
    text: str = ""
