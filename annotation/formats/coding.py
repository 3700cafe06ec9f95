"""Repeated strings as codes, and pairs that occur twice: found through the keys of the strings, and then confirmed."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.formats.text import Ints, Text, Words

Codes = NDArray[np.int32]
Whole = TypeVar("Whole", Ints, Words)

FEW = 4  # rows that hold the same string one after the other, from where on only the first is looked at
SOME = 256  # strings up to which Python's own are faster than arrays
_SAMPLE = 1 << 20


def coded(text: Text) -> tuple[tuple[str, ...], Codes]:
    """`(strings, code)`: the different strings in byte order, and which of them each of `text` is. (n,)"""
    if len(text) <= SOME:
        return _coded_as_strings(list(text))
    begins = text.begins()
    if begins.size * FEW < len(text):  # the same strings stand together
        strings, code_of = coded(text.take(begins))
        return strings, np.repeat(code_of, np.diff(begins, append=len(text)))
    code, n_codes = _codes(text.key())
    one = np.empty(n_codes, np.int64)
    one[code] = np.arange(code.size)  # a row of each code
    if not text.same(np.arange(code.size), text, one[code]).all():
        code, one = _coded_one_by_one(text)
    different = text.take(one)
    order = _ascending(different)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size)
    return tuple(different.take(order)), rank[code]


def _coded_as_strings(strings: list[str]) -> tuple[tuple[str, ...], Codes]:
    """As `coded`: code points have the order of UTF-8's bytes."""
    different = tuple(sorted(set(strings)))
    code = {string: at for at, string in enumerate(different)}
    return different, np.array([code[string] for string in strings], np.int32)


def _ascending(text: Text) -> Ints:
    """The order of the strings by their bytes: words compare as bytes do."""
    rows = np.arange(len(text))
    n_words = int(text.n_words(rows).max(initial=0))
    return np.lexsort([text.words(rows, j) for j in reversed(range(n_words))] or [rows])


def _codes(key: Words) -> tuple[Ints, int]:
    """Equal keys have equal codes, 0 … n_codes − 1. Sorts few keys, not all."""
    keys = distinct(key[:: max(1, key.size // _SAMPLE)])
    while True:
        code = np.searchsorted(keys, key)
        missing = keys[np.minimum(code, keys.size - 1)] != key
        if not missing.any():
            return code, keys.size
        keys = distinct(np.concatenate([keys, key[missing]]))


def distinct(values: Whole) -> Whole:
    """The different values, ascending. As `np.unique`, whose first call takes 8 ms to import masked arrays."""
    ordered = np.sort(values)
    new = np.ones(ordered.size, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


def _coded_one_by_one(text: Text) -> tuple[Ints, Ints]:
    """`(code, a row of each code)`, where two strings share a key: rare enough to look at every one."""
    codes: dict[str, int] = {}
    code = np.fromiter((codes.setdefault(string, len(codes)) for string in text), np.int64, len(text))
    one = np.empty(len(codes), np.int64)
    one[code] = np.arange(code.size)
    return code, one


def repeats(code: Codes, text: Text) -> list[tuple[int, int]]:
    """`(first row, row)` for each row whose pair (code, string) occurred before."""
    key = text.key() ^ (code.astype(np.uint64) * np.uint64(0xD6E8FEB86659FD93))
    in_order = np.sort(key)
    twice = in_order[1:][in_order[1:] == in_order[:-1]]
    return same_pairs(code, text, np.flatnonzero(np.isin(key, twice))) if twice.size else []


def same_pairs(code: Codes, text: Text, rows: Ints) -> list[tuple[int, int]]:
    """`(first row, row)` for each of `rows` (ascending) whose pair occurred before among them."""
    first: dict[tuple[int, str], int] = {}
    pairs = zip(code[rows].tolist(), text.take(rows), rows.tolist(), strict=True)
    before = ((first.setdefault((of, string), row), row) for of, string, row in pairs)
    return [(earlier, row) for earlier, row in before if earlier != row]
