"""What changed between two texts, word by word, for people to read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_WORD = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Change:
    """A stretch of text that both have, or only the old (`removed`) or the new one (`added`)."""

    kind: Literal["same", "removed", "added"]
    text: str


def changes(old: str, new: str) -> list[Change]:
    """The stretches in reading order: those that are same or removed make up `old`, same or added make up `new`.

    Lines are compared first, and words only where lines differ, so that long texts stay cheap. Two empty texts give
    no stretch at all.
    """
    return _merged(_line_changes(old.splitlines(keepends=True), new.splitlines(keepends=True)))


def _line_changes(old: list[str], new: list[str]) -> Iterator[Change]:
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Change("same", "".join(old[i:j]))
        else:
            yield from _word_changes("".join(old[i:j]), "".join(new[k:m]))


def _word_changes(old: str, new: str) -> Iterator[Change]:
    before, after = _WORD.findall(old), _WORD.findall(new)
    for kind, i, j, k, m in SequenceMatcher(None, before, after).get_opcodes():
        if kind == "equal":
            yield Change("same", "".join(before[i:j]))
        else:
            yield Change("removed", "".join(before[i:j]))
            yield Change("added", "".join(after[k:m]))


def _merged(stretches: Iterator[Change]) -> list[Change]:
    """Without empty stretches, and neighbours of one kind as one."""
    merged: list[Change] = []
    for change in stretches:
        if merged and change.text and merged[-1].kind == change.kind:
            merged[-1] = Change(change.kind, merged[-1].text + change.text)
        elif change.text:
            merged.append(change)
    return merged
