"""A text in the forms in which encodings are searched: without line breaks, in one alphabet, in one case."""

from __future__ import annotations

from functools import cached_property
from typing import List, Tuple

_BREAKS = "\r\n"
_ONE_CASE = str.maketrans("ABCDEF", "abcdef")
_ONE_ALPHABET = str.maketrans("-_", "+/")


class Views:
    def __init__(self, text: str) -> None:
        self.text = text
        self._is_folded = "\n" in text or "\r" in text
        self._unfolded = text.replace("\n", "").replace("\r", "") if self._is_folded else text

    @cached_property
    def hex(self) -> str:
        return self._unfolded.translate(_ONE_CASE)

    @cached_property
    def base64(self) -> str:
        return self._unfolded.translate(_ONE_ALPHABET)

    def span(self, start: int, end: int) -> Tuple[int, int]:
        """Converts a span of a view into one of the original text."""
        if not self._is_folded:
            return start, end
        return self._positions[start], self._positions[end - 1] + 1

    @cached_property
    def _positions(self) -> List[int]:
        return [index for index, character in enumerate(self.text) if character not in _BREAKS]
