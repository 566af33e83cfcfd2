"""The secrets of the tasks in this process: one redactor per environment, and all of them together for the log."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Dict, FrozenSet, List, Tuple

from .redact import Redactor

#: Number of environments that are kept after their tasks have ended, because a thread left behind may still print.
_REMEMBERED = 64

_Key = FrozenSet[Tuple[str, str]]


class KnownSecrets:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: "OrderedDict[_Key, Redactor]" = OrderedDict()
        self._uses: Dict[_Key, int] = {}

    def acquire(self, environment: Dict[str, str]) -> Redactor:
        """Returns the redactor of an environment, which is kept until each `acquire` is matched by a `release`."""
        key = frozenset(environment.items())
        with self._lock:
            known = self._known.get(key)
        redactor = known or Redactor(environment)
        with self._lock:
            redactor = self._known.setdefault(key, redactor)
            self._known.move_to_end(key)
            self._uses[key] = self._uses.get(key, 0) + 1
        return redactor

    def release(self, environment: Dict[str, str]) -> None:
        key = frozenset(environment.items())
        with self._lock:
            self._uses[key] -= 1
            if self._uses[key] == 0:
                del self._uses[key]
            unused = [known for known in self._known if known not in self._uses]
            for known in unused[: max(0, len(unused) - _REMEMBERED)]:
                del self._known[known]

    def text(self, text: str) -> str:
        with self._lock:
            redactors: List[Redactor] = list(self._known.values())
        for redactor in redactors:
            text = redactor.text(text)
        return text
