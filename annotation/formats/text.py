"""Many short strings as arrays: eight bytes of a string are one number, so millions of docnos are no objects.

A word is bytes 8j … 8j+7 of a string as one big-endian number, zero after the end. Strings hold no
NUL, so comparing words compares bytes, and everything here works on whole arrays of words.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]

PADDING = 8  # bytes that must follow the last string in bytes given to `Text.cut`
LARGEST_KEY = np.uint64(2**64 - 2)
STEP = 1 << 15  # strings worked on at a time where that keeps the work in the cache
_ODD_1, _ODD_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)  # of SplitMix64
_NONE, _NO_WORDS = np.zeros(0, np.int64), np.zeros(0, np.uint64)


@dataclass(frozen=True, eq=False)
class Text:
    """`n` strings. `word` holds the words of all, string after string.

    `count` is how many words every string has; where they differ it is 0, and string i begins at `begin[i]`, (n + 1,).
    The same strings always have the same form.
    """

    word: Words
    count: int
    begin: NDArray[np.integer]

    @classmethod
    def of(cls, strings: Collection[str]) -> "Text":
        return cls.of_parts([strings])

    @classmethod
    def of_parts(cls, parts: Iterable[Collection[str]]) -> "Text":
        """The strings of all parts, one part after the other, each of which is looked at while it is in the cache.

        Raises `TypeError` for what is no string, and `ValueError` for a NUL and for what UTF-8 cannot write.
        """
        counted = [("\0".join(strings), len(strings)) for strings in parts]
        joined = "\0".join(piece for piece, count in counted if count)
        raw = np.frombuffer(f"{joined}\0".encode() + bytes(PADDING), np.uint8)
        n_strings = sum(count for _, count in counted)
        end = np.flatnonzero(raw[: raw.size - PADDING] == 0) if n_strings else _NONE
        if end.size != n_strings:
            raise ValueError("strings hold no NUL")
        begin = np.zeros(n_strings, np.int64)
        begin[1:] = end[:-1] + 1
        return cls.cut(raw, begin, end - begin)

    @classmethod
    def cut(cls, raw: Bytes, begin: Ints, length: Ints) -> "Text":
        """The strings that lie in `raw` from `begin`, `length` bytes each; `PADDING` bytes follow the last one."""
        most = -(-int(length.max(initial=0)) // 8)
        words = [word_at(raw, begin + 8 * j if j else begin, length - 8 * j) for j in range(most)]
        if words and int(length.min()) > 8 * (most - 1):
            return cls(words[0] if most == 1 else np.stack(words, axis=1).ravel(), most, _NONE)
        n_words = (length + 7) >> 3
        there = np.arange(most) < n_words[:, None]  # (n, most)
        return _text(np.stack(words, axis=1)[there] if words else _NO_WORDS, n_words)

    @classmethod
    def concat(cls, parts: Sequence["Text"]) -> "Text":
        word = np.concatenate([part.word for part in parts] or [_NO_WORDS])
        counts = {part.count for part in parts if len(part)}
        if len(counts) == 1 and 0 not in counts:
            return cls(word, counts.pop(), _NONE)
        return _text(word, np.concatenate([part.n_words(np.arange(len(part))) for part in parts] or [_NONE]))

    def __len__(self) -> int:
        return self.word.size // self.count if self.count else self.begin.size - 1

    def __getitem__(self, row: int) -> str:
        at, n_words = self._at(np.array([row])), int(self.n_words(np.array([row]))[0])
        return self.word[at[0] : at[0] + n_words].astype(">u8").tobytes().rstrip(b"\0").decode()

    def __iter__(self) -> Iterator[str]:
        return (raw.decode() for raw in self.raw())

    def raw(self) -> Iterable[bytes]:
        """The strings as UTF-8."""
        if self.count:
            strings: list[bytes] = self.word.astype(">u8").view(f"S{8 * self.count}").tolist()
            return strings
        data, ends = self.word.astype(">u8").tobytes(), (8 * self.begin).tolist()
        return (data[a:b].rstrip(b"\0") for a, b in pairwise(ends))

    def n_words(self, rows: Ints) -> Ints:
        if self.count:
            return np.full(rows.size, self.count)
        return self.begin[rows + 1].astype(np.int64) - self.begin[rows]

    def is_whole(self) -> bool:
        """Whether the parts fit together: for texts read from a file."""
        if self.count:
            return self.word.size % self.count == 0
        return self.begin.size > 0 and self.begin[0] == 0 and int(self.begin[-1]) == self.word.size

    def take(self, rows: Ints) -> "Text":
        """The strings of `rows`, in that order."""
        if self.count == 1:
            return Text(self.word[rows], 1, _NONE)
        if self.count:
            return Text(self.word.reshape(-1, self.count)[rows].ravel(), self.count, _NONE)
        n_words = self.n_words(rows)
        begin = _offsets(n_words)
        at = np.repeat(self._at(rows) - begin[:-1], n_words) + np.arange(begin[-1])
        return _text(self.word[at], n_words)

    def part(self, a: int, b: int) -> "Text":
        """The strings a … b − 1; nothing is copied but where each begins."""
        if self.count:
            return Text(self.word[a * self.count : b * self.count], self.count, _NONE)
        begin = self.begin[a : b + 1].astype(np.int64)
        return Text(self.word[begin[0] : begin[-1]], 0, begin - begin[0])

    def replaced(self, at: Ints, rows: Ints) -> "Text":
        """String `rows[i]` stands at `at[i]`; the others stay. May change this text, which is then not to be used."""
        if self.count:
            word = self.word.reshape(-1, self.count)
            word[at] = word[rows]
            return self
        order = np.arange(len(self))
        order[at] = rows
        return self.take(order)

    def words(self, rows: Ints, j: int) -> Words:
        """Word j of each of the strings `rows`; 0 where a string has ended before."""
        if self.count:
            return self.word[rows * self.count + j] if j < self.count else np.zeros(rows.size, np.uint64)
        word, longer = np.zeros(rows.size, np.uint64), np.flatnonzero(self.n_words(rows) > j)
        word[longer] = self.word[self._at(rows[longer]) + j]
        return word

    @cached_property
    def most_words(self) -> int:
        """Of the longest string."""
        return self.count or int(np.diff(self.begin).max(initial=0))

    def key(self) -> Words:
        """A 64-bit hash of each string, (n,), the same on every machine; stored in packed runs, so it never changes.

        Equal strings have equal keys; different ones almost always different keys, so a match is confirmed by `same`.
        """
        key = np.empty(len(self), np.uint64)
        for a in range(0, len(self), STEP):
            key[a : a + STEP] = self._key(np.arange(a, min(a + STEP, len(self))))
        return key

    def _key(self, rows: Ints) -> Words:
        mixed, n_words = np.zeros(rows.size, np.uint64), self.n_words(rows)
        for j in range(int(n_words.max(initial=0))):
            more = _mix(mixed ^ self.words(rows, j))
            mixed = more if self.count else np.where(n_words > j, more, mixed)
        mixed *= _ODD_2
        return np.minimum(mixed ^ (mixed >> np.uint64(32)), LARGEST_KEY)

    def begins(self) -> Ints:
        """The rows whose string differs from that of the row before; row 0 among them. At least one string."""
        if self.count:
            word = self.word.reshape(-1, self.count)
            differs = (word[1:] != word[:-1]).any(axis=1) if self.count > 1 else word[1:, 0] != word[:-1, 0]
        else:
            differs = ~self.same(np.arange(1, len(self)), self, np.arange(len(self) - 1))
        return np.concatenate([np.zeros(1, np.int64), np.flatnonzero(differs) + 1])

    def same(self, rows: Ints, other: "Text", other_rows: Ints) -> NDArray[np.bool_]:
        """Whether string `rows[i]` here equals string `other_rows[i]` of `other`, for each i."""
        same: NDArray[np.bool_] = self.n_words(rows) == other.n_words(other_rows)
        for j in range(self.most_words):
            same &= self.words(rows, j) == other.words(other_rows, j)
        return same

    def descending(self, rows: Ints, group: Ints) -> Ints:
        """`rows` ordered by group, within a group by descending bytes. `group[i]` belongs to `rows[i]`."""
        order = np.arange(rows.size)
        for j in reversed(range(self.most_words)):
            word = ~self.words(rows[order], j)
            if word.size and (word != word[0]).any():
                order = order[np.argsort(word, kind="stable")]
        return rows[order[np.argsort(group[order], kind="stable")]]

    def _at(self, rows: Ints) -> Ints:
        return rows * self.count if self.count else self.begin[rows].astype(np.int64)


def everywhere(raw: Bytes) -> NDArray[np.uint64]:
    """A word at every byte: element i is bytes i … i + 7, big-endian. Nothing is copied."""
    return np.ndarray((raw.size - 7,), ">u8", raw, strides=(1,))


def word_at(raw: Bytes, begin: Ints, left: Ints) -> Words:
    """The eight bytes of `raw` at each of `begin` as a word, zero from byte `left` on. (n,)"""
    least = int(left.min(initial=8))
    if least >= 8:
        return everywhere(raw)[begin].astype(np.uint64)
    if least > 0:
        behind = 8 - least if int(left.max()) == least else np.maximum(8 - left, 0)
        shift = np.uint64(8) * np.asarray(behind, np.uint64)
        word: Words = everywhere(raw)[begin].astype(np.uint64) >> shift << shift
        return word
    here = np.flatnonzero(left > 0)
    word = np.zeros(begin.size, np.uint64)
    word[here] = word_at(raw, begin[here], left[here])
    return word


def _text(word: Words, n_words: Ints) -> Text:
    least = int(n_words.min()) if n_words.size else 0
    if least > 0 and least * n_words.size == word.size:
        return Text(word, least, _NONE)
    return Text(word, 0, _offsets(n_words))


def _offsets(length: NDArray[np.integer]) -> Ints:
    offset = np.zeros(length.size + 1, np.int64)
    np.cumsum(length, out=offset[1:])
    return offset


def _mix(x: Words) -> Words:
    x = x * _ODD_1
    return x ^ (x >> np.uint64(29))
