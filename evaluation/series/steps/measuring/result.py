"""What comes of measuring, and what a kind declares."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Collection


class MeasuringError(Exception):
    """Nothing can be measured now; the message says why."""


@dataclass(frozen=True)
class Measured:
    """`rests_on` in words, `key` a hash of all that the value was made from: the same key, the same value."""

    value: float
    low: float | None
    high: float | None
    rests_on: str
    key: str


@dataclass(frozen=True)
class Kind:
    """`fields`: what of a series' form it wants; those of `optional` may be empty."""

    fields: tuple[str, ...]
    measure: Callable[[Collection, Mapping[str, Any]], Measured]
    optional: tuple[str, ...] = ()


def key_of(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def newest(name: str) -> dict[str, str]:
    """How rows are looked up by a name that may end with `*`: what begins so."""
    return {"startswith": name[:-1]} if name.endswith("*") else {"exact": name}
