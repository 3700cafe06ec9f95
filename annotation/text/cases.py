"""Worked examples of a guideline: which come first. Whoever sees but some grades, or ever the same, uses but some."""

from collections.abc import Iterable, Sequence


def first_of_each(grades: Sequence[int], turn: str) -> list[int]:
    """Places in `grades` (those of the examples) of the ones to show first: one of each grade there is.

    `turn` names a person and a topic: which example stands for a grade, and the order of the grades, go by it alone.
    Nothing for no examples.
    """
    indexes: dict[int, list[int]] = {}
    for at, grade in enumerate(grades):
        indexes.setdefault(grade, []).append(at)
    in_turn = sorted(indexes, key=lambda grade: (_chance(turn, "order", grade), grade))
    return [indexes[grade][_chance(turn, "choice", grade) % len(indexes[grade])] for grade in in_turn]


def grades_without(grades: Iterable[int], scale: Iterable[int]) -> list[int]:
    """The grades of the scale that no example has, in the order of the scale."""
    shown = set(grades)
    return [grade for grade in scale if grade not in shown]


def _chance(turn: str, what: str, grade: int) -> int:
    """32 bits that look drawn at random: FNV-1a with MurmurHash3's last mix.

    `static/js/judge/guideline.js` computes the same for the cards that follow the first.
    """
    bits = 0x811C9DC5
    for byte in f"{what} {grade} {turn}".encode():
        bits = ((bits ^ byte) * 0x01000193) & _BITS
    bits = ((bits ^ bits >> 16) * 0x85EBCA6B) & _BITS
    bits = ((bits ^ bits >> 13) * 0xC2B2AE35) & _BITS
    return bits ^ bits >> 16


_BITS = 0xFFFFFFFF
