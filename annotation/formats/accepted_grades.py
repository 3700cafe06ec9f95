"""The grades that are right for a pair besides the known one, in a cell: `2 3`, `2,3`, `[2, 3]`."""

import re

from annotation.formats.fields import WHITE, shown, whole_number

_BETWEEN = re.compile(f"[,;{WHITE}]+")


def accepted_in(text: str) -> tuple[int, ...] | None:
    """The grades in their order, each once; None where nothing is said. Empty brackets say that there are none besides.

    Raises `ValueError` for what is no whole number.
    """
    inner = text.strip(WHITE)
    if not inner:
        return None
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1].strip(WHITE)
    numbers = [whole_number(word) for word in _BETWEEN.split(inner) if word]
    grades = {grade for grade in numbers if grade is not None}
    if None in numbers:
        raise ValueError(f"the accepted grades {shown(text)} are not whole numbers")
    return tuple(sorted(grades))
