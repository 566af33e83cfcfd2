"""The directives that tell a scripted agent, within a message, what it answers."""

from __future__ import annotations

import base64
import json
from typing import Any, List, Optional, Sequence


def directives(responses: Sequence[Any], test_case_id: Optional[str] = None) -> str:
    """Returns text for a message: `[test_case_id=…]` and `[responses_json=…]`. Each turn is a list of A2A events."""
    encoded = base64.b64encode(json.dumps(responses).encode("utf-8")).decode("ascii")
    lines: List[str] = [] if test_case_id is None else [f"[test_case_id={test_case_id}]"]
    return "\n".join([*lines, f"[responses_json={encoded}]"])
