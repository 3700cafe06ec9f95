"""Where a text may be cut: between two of what a reader takes for characters, never inside one.

A small part of the rules of UAX #29: marks stay on their letter, joined consonants, joined emoji,
flags and skin tones in one piece, Hangul in syllables, and a carriage return with its line feed.
"""

import unicodedata
from itertools import takewhile

MOST = 200  # code points that one character may have; what has more is cut where it happens to be

_JOINER = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f") | {
    chr(n) for n in (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080))
}
_LINKING = frozenset(
    "\u1039\u17d2\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"
)  # between two consonants that are written as one
_VOWELS = range(0x1160, 0x11A8)
_FINALS = range(0x11A8, 0x1200)


def cut_before(text: str, offset: int) -> int:
    """The last place at or before `offset` where the text may be cut; the ends always are such places."""
    offset = max(0, min(offset, len(text)))
    for at in range(offset, max(-1, offset - MOST), -1):
        if may_cut(text, at):
            return at
    return offset


def blank_before(text: str, start: int, end: int) -> int:
    """Where to end a line that begins at `start` and must end by `end`: behind the last blank, or else where one may.

    Always behind `start`, if `end` is.
    """
    if end >= len(text):
        return len(text)
    blank = next((at for at in range(end, start, -1) if _ends_a_blank(text, at)), start)
    if blank > start:
        return blank
    at = cut_before(text, end)
    return at if at > start else end


def _ends_a_blank(text: str, offset: int) -> bool:
    """A blank with a mark or a joiner on it is one character, and ends no line."""
    return text[offset - 1].isspace() and not text[offset].isspace() and may_cut(text, offset)


def may_cut(text: str, offset: int) -> bool:
    if offset <= 0 or offset >= len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before < "\u0300" and after < "\u0300":
        return (before, after) != ("\r", "\n")
    if after in _EXTENDING or unicodedata.category(after)[0] == "M":
        return unicodedata.category(before) in ("Cc", "Zl", "Zp")
    if (
        (before == _JOINER and not after.isspace())
        or (before in _LINKING and after.isalpha())
        or ("\ud800" <= before < "\udc00" <= after < "\ue000")
    ):
        return False
    return not (_halves_a_flag(text, offset) or _halves_a_syllable(ord(before), ord(after)))


def _halves_a_flag(text: str, offset: int) -> bool:
    """A flag is two regional indicators; in a row of them, every second border is inside one."""
    if not (_is_regional(text[offset]) and _is_regional(text[offset - 1])):
        return False
    before = takewhile(_is_regional, (text[at] for at in range(offset - 1, max(-1, offset - 1 - MOST), -1)))
    return sum(1 for _ in before) % 2 == 1


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _halves_a_syllable(before: int, after: int) -> bool:
    if after in _VOWELS:
        return before in range(0x1100, 0x11A8) or _is_open(before)
    if after in _FINALS:
        return before in _VOWELS or before in _FINALS or before in range(0xAC00, 0xD7A4)
    return after in range(0x1100, 0x1160) and before in range(0x1100, 0x1160)


def _is_open(character: int) -> bool:
    """Whether it is a composed syllable that has no final yet."""
    return character in range(0xAC00, 0xD7A4) and (character - 0xAC00) % 28 == 0
