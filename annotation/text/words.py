"""Words of a text, in any script, and when two of them are taken for the same.

A word is a run of letters and digits with the marks upon them. Chinese, Japanese, Korean, Thai,
Lao, Burmese and Khmer are written without blanks between words, or with endings grown on: their
runs are strings of characters, not words.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from annotation.text.stem import stem

_PAIRED = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_SOUTHEAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f"
_HIRAGANA = re.compile("[\u3040-\u309f]+")
_INSIDE = "\u00ad\u200b-\u200d\u2060"  # soft hyphens and joiners are in words, not of them
_DROPPED = re.compile(f"[{_INSIDE}\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+")
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})

# Characters that join the words of Chinese and Japanese rather than being some. Our own short list.
_JOINING = frozenset("的了是在和與与或及之其有無无不也就都而等被把這这那哪些個个什么麼何如為为于於吗呢嗎请請找の")


@cache
def word_pattern() -> re.Pattern[str]:
    """Finds words; what is written without blanks is none. A word of plain letters is found by them, three times as
    fast."""
    letters = rf"[^\W_{_PAIRED}{_SOUTHEAST}]"
    plain = r"[0-9A-Za-z]++(?![^\x00-\x7f])"
    return re.compile(rf"(?:{plain}|{letters}+(?:[{_marks()}{_INSIDE}]+{letters}*)*)")


@cache
def between_words() -> re.Pattern[str]:
    """Splits a text into what is between words and the words, in turn."""
    return re.compile(f"({word_pattern().pattern})")


@cache
def run_pattern() -> re.Pattern[str]:
    """Finds runs of what is written without blanks: group 1 by ideas and syllables, else by letters."""
    return re.compile(rf"([{_PAIRED}]+)|[{_SOUTHEAST}]+")


@lru_cache(maxsize=50_000)
def key(word: str) -> str:
    """Words with the same key are the same word: in another case, with other accents, in another form."""
    if not word.isascii():
        word = unicodedata.normalize("NFKD", word.casefold())
        word = _DROPPED.sub("", word).casefold().translate(_PLAIN)
        word = unicodedata.normalize("NFC", word)
    return stem(word.lower())


def strings_of(text: str) -> Iterator[str]:
    """What to look for of a text written without blanks: every two neighbours, as there is no telling words.

    Characters that join words end a run. A single character counts where it stands alone, hiragana in a whole piece
    of three or more; what is written in Southeast Asian letters as it stands between blanks.
    """
    for match in run_pattern().finditer(text):
        if match[1] is None:
            yield from [match[0]] if len(match[0]) > 1 else []
        else:
            yield from _pairs(match[1])


def _pairs(run: str) -> Iterator[str]:
    for piece in "".join(" " if each in _JOINING else each for each in run).split():
        if _HIRAGANA.fullmatch(piece):
            yield from [piece] if len(piece) > 2 else []
        elif len(piece) == 1:
            yield from [piece] if piece == run else []
        else:
            pairs = (piece[at : at + 2] for at in range(len(piece) - 1))
            yield from (pair for pair in pairs if not _HIRAGANA.fullmatch(pair))


def _marks() -> str:
    """All marks that stand on or around a letter, as ranges of a character class."""
    code_points = [n for n in range(0x300, 0x20000) if unicodedata.category(chr(n))[0] == "M" and not _is_southeast(n)]
    ranges: list[tuple[int, int]] = []
    for n in code_points:
        if ranges and ranges[-1][1] == n - 1:
            ranges[-1] = (ranges[-1][0], n)
        else:
            ranges.append((n, n))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "\U000e0100-\U000e01ef"


def _is_southeast(n: int) -> bool:
    return n in range(0xE00, 0xF00) or n in range(0x1000, 0x10A0) or n in range(0x1780, 0x1800)
