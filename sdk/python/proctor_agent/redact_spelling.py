"""How a secret may be written in a trace: plain and escaped (JSON, URL, HTML, in any mixture), base64, hex."""

from __future__ import annotations

import base64
import html
import json
import re
from itertools import groupby
from typing import Callable, Iterator, List, Set, Tuple
from urllib.parse import quote, quote_plus

from .redact_views import Views

Span = Tuple[int, int]
Finder = Callable[[Views], Iterator[Span]]

_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#: Number of base64 digits that are a match on their own. Fewer only match together with the partly known ones around them.
_MIN_DIGITS = 6
#: Characters that no encoder changes, so that they are matched as they are.
_UNTOUCHED = re.compile(r"[A-Za-z0-9_.~-]+")
#: Most characters with several spellings that one pattern may have, because each makes it larger.
_MAX_ESCAPABLE = 256
_SHORT_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_HTML = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}


def finders(text: str) -> List[Finder]:
    """Returns functions that each find the text in one family of encodings."""
    data = text.encode("utf-8", "surrogatepass")
    return [_find_plain(text), _find_hex(data), *(_find_base64(data, offset) for offset in range(3))]


def _find_plain(text: str) -> Finder:
    if len(_UNTOUCHED.sub("", text)) > _MAX_ESCAPABLE:
        forms = _whole_forms(text)
        return lambda views: (span for form in forms for span in _occurrences(views.text, form))
    if _UNTOUCHED.fullmatch(text):
        return lambda views: _occurrences(views.text, text)
    pattern = re.compile("".join(_spell(character, len(list(run))) for character, run in groupby(text)))
    return lambda views: (match.span() for match in pattern.finditer(views.text))


def _whole_forms(text: str) -> Set[str]:
    """Returns each encoding of the whole text, without mixtures, for a text whose pattern would take too long to compile."""
    texts = {text, text.replace("\r\n", "\n"), text.replace("\n", "\r\n")}
    for ensure_ascii in (True, False):
        for _ in range(2):
            texts |= {json.dumps(form, ensure_ascii=ensure_ascii)[1:-1] for form in texts}
    whole = text.encode("utf-8", "replace")
    return texts | {quote(whole), quote(whole, safe=""), quote_plus(whole), html.escape(text)}


def _find_hex(data: bytes) -> Finder:
    digits = data.hex()
    return lambda views: (views.span(start, end) for start, end in _occurrences(views.hex, digits))


def _find_base64(data: bytes, offset: int) -> Finder:
    """Finds the base64 digits of the data when `offset` foreign bytes come before it in its group of three.

    The first and the last digit may share bits with foreign bytes; those between are known.
    """
    encoded = base64.b64encode(b"\0" * offset + data).decode("ascii").rstrip("=")
    first_full = -(-offset * 8 // 6)
    end_full = (offset + len(data)) * 8 // 6
    core = encoded[first_full:end_full]
    # Number of bits that belong to the data, and the expected digit, before and after the core.
    before = (first_full * 6 - offset * 8, encoded[first_full - 1] if first_full else "")
    after = ((offset + len(data)) * 8 - end_full * 6, encoded[end_full:])

    def find(views: Views) -> Iterator[Span]:
        digits = views.base64
        start = digits.find(core)
        while start >= 0:
            end = start + len(core)
            known_before = before[0] == 0 or _low_bits_match(digits[start - 1 : start], *before)
            known_after = after[0] == 0 or _high_bits_match(digits[end : end + 1], *after)
            if len(core) < _MIN_DIGITS and not (known_before and known_after):
                start = digits.find(core, start + 1)
                continue
            yield views.span(start, end + 1 if after[0] and known_after else end)
            start = digits.find(core, end)

    return find


def _low_bits_match(digit: str, count: int, expected: str) -> bool:
    value = _BASE64.find(digit) if digit else -1
    return value >= 0 and (value ^ _BASE64.index(expected)) & ((1 << count) - 1) == 0


def _high_bits_match(digit: str, count: int, expected: str) -> bool:
    value = _BASE64.find(digit) if digit else -1
    return value >= 0 and (value ^ _BASE64.index(expected)) >> (6 - count) == 0


def _occurrences(text: str, wanted: str) -> Iterator[Span]:
    start = text.find(wanted)
    while start >= 0:
        yield start, start + len(wanted)
        start = text.find(wanted, start + len(wanted))


def _spell(character: str, count: int) -> str:
    """Returns a pattern for a run of one character. It bounds where and how far backslashes match, or matching could take hours."""
    if character == "\\":
        return rf"(?:(?<!\\)\\{{{count},}}|(?:%(?:25)?5[Cc]){{{count}}})"
    if _UNTOUCHED.match(character):
        return re.escape(character) * count
    return f"(?:{'|'.join(_options(character))})" + (f"{{{count}}}" if count > 1 else "")


def _options(character: str) -> List[str]:
    data = character.encode("utf-8", "surrogatepass")
    units = character.encode("utf-16-be", "surrogatepass")
    pairs = [units[index : index + 2].hex() for index in range(0, len(units), 2)]
    options = [
        rf"\\{{0,15}}{re.escape(character)}",
        "".join(rf"%(?:25)?{_hex(f'{byte:02x}')}" for byte in data),
        "".join(rf"\\{{1,16}}x{_hex(f'{byte:02x}')}" for byte in data),
        "".join(rf"\\{{1,16}}u{_hex(unit)}" for unit in pairs),
    ]
    if len(data) > 1:  # UTF-8 read as Latin-1
        options.append(re.escape(data.decode("latin-1")))
    if character in _SHORT_ESCAPES:
        options.append(rf"\\{{1,16}}{_SHORT_ESCAPES[character]}")
    if character == "\n":
        options += [r"\r\n", r"\\{1,16}r\\{1,16}n", "%0[Dd]%0[Aa]"]
    if character == " ":
        options.append(r"\+")
    if character in _HTML:
        options.append(f"&(?:{_HTML[character]}|#{ord(character)}|#[xX]0*{_hex(f'{ord(character):x}')});")
    return options


def _hex(digits: str) -> str:
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)
