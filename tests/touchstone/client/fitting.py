"""Whether an answer fits the type that a method of the client says: field by field, no more and no less."""

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def misfits(value: Any, kind: Any, at: str = "") -> Iterator[str]:
    """Where the value is not of this kind, and why."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if origin in (Union, UnionType):
        every = [list(misfits(value, each, at)) for each in parts]
        yield from [] if [] in every else min(every, key=len)
    elif origin is Literal:
        yield from [] if value in parts else [f"{at}: {value!r} is none of {parts}"]
    elif origin is NotRequired:
        yield from misfits(value, parts[0], at)
    elif origin is list:
        yield from _each(value, parts[0], at)
    elif origin is dict:
        yield from _values(value, parts[1], at)
    elif is_typeddict(kind):
        yield from _fields(value, kind, at)
    elif not _is_plain(value, kind):
        yield f"{at}: {value!r} is no {getattr(kind, '__name__', kind)}"


def _each(value: Any, kind: Any, at: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{at}: {value!r} is no list"
        return
    for n, each in enumerate(value):
        yield from misfits(each, kind, f"{at}[{n}]")


def _values(value: Any, kind: Any, at: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{at}: {value!r} is no dict"
        return
    for name, each in value.items():
        yield from misfits(each, kind, f"{at}.{name}")


def _fields(value: Any, kind: Any, at: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield f"{at}: {value!r} is no {kind.__name__}"
        return
    hints = get_type_hints(kind, include_extras=True)
    required = {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}
    yield from (f"{at}: lacks {name}" for name in sorted(required - value.keys()))
    yield from (f"{at}: has {name}, which {kind.__name__} has not" for name in sorted(value.keys() - hints.keys()))
    for name in hints.keys() & value.keys():
        yield from misfits(value[name], hints[name], f"{at}.{name}")


def _is_plain(value: Any, kind: Any) -> bool:
    if kind in (None, NoneType):
        return value is None
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)
