"""The identity of a text: SHA-256 over its fields, so that equal content is one version and any change is another."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Field: TypeAlias = str | int | bool | Sequence["Field"] | Mapping[str, "Field"] | None


def canonical_json(fields: Mapping[str, Field]) -> bytes:
    """Sorted keys, no spaces, UTF-8 unescaped, no floating point: one content, one spelling.

    Raises `TypeError` for a float (its spelling is not canonical) and `UnicodeEncodeError` for half a surrogate pair.
    """
    _refuse_floats(fields)
    plain = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return plain.encode("utf-8")


def sha256_of(fields: Mapping[str, Field]) -> str:
    """64 lower-case hex digits. No normalisation: texts that differ in one invisible character are two versions."""
    return hashlib.sha256(canonical_json(fields)).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no place in an identity")


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise TypeError("a floating point number has no canonical spelling; use a string or a whole number")
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    for part in inner:
        _refuse_floats(part)
