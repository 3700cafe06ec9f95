"""A result as bytes, and back: frozen dataclasses of this program, arrays, and what Python itself has.

Not pickle: reading runs no code but that of `annotation` that makes dataclasses and enumerations.
What a dataclass has worked out already (`cached_property`) is kept with its fields. A field that a
result lets go is gone afterwards: asking for it is an `AttributeError`, never another value. Rows
of the database are kept by key, and read anew.
"""

import json
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, is_dataclass
from datetime import date, datetime
from enum import Enum
from importlib import import_module
from typing import Any, TypeAlias, TypeVar

import numpy as np
from django.apps import apps
from django.db.models import Model
from numpy.typing import NDArray

MAGIC = b"touchstone kept result 1\n"
SIZE = 8  # bytes of the length of the head
OURS = "annotation"  # whose classes may be made
KINDS = "biuf"  # of arrays, as numpy calls them
NARROW = (np.int8, np.int16, np.int32)
MANY = 100  # texts of a tuple, from which they are written as one
BETWEEN = "\n"

LetGo: TypeAlias = Mapping[type, AbstractSet[str]]  # by class, the fields of its objects that are not kept
Node: TypeAlias = Any  # JSON: what a value is written as
Made = TypeVar("Made")


class ResultFormError(Exception):
    """What cannot be kept, or is no kept result of this program."""


def to_bytes(result: object, lets_go: LetGo) -> bytes:
    """Raises `ResultFormError` for what has no form."""
    writer = _Writer(lets_go)
    root = writer.node(result)
    head = {"root": root, "objects": writer.objects, "arrays": writer.heads, "rows": writer.rows}
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return b"".join([MAGIC, len(text).to_bytes(SIZE, "little"), text, *writer.pieces])


def from_bytes(data: bytes) -> Any:
    """What `to_bytes` was given. Raises `ResultFormError` for anything else, and where a row of it is gone."""
    if not data.startswith(MAGIC):
        raise ResultFormError("not a kept result")
    try:
        start = len(MAGIC) + SIZE
        end = start + int.from_bytes(data[len(MAGIC) : start], "little")
        reader = _Reader(json.loads(data[start:end]), memoryview(data)[end:])
        return reader.value(reader.head["root"])
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, ImportError, LookupError) as fault:
        raise ResultFormError(f"not as it was written: {fault!r}") from fault


@dataclass
class _Writer:
    """Whatever may be met twice is an object of `objects`, behind those that it is made of."""

    lets_go: LetGo
    objects: list[Node] = field(default_factory=list)
    heads: list[list[Any]] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    rows: dict[str, list[Any]] = field(default_factory=dict)
    _index_by_id: dict[int, int] = field(default_factory=dict)
    _alive: list[object] = field(default_factory=list)  # so that no other object gets the id of one that is gone

    def node(self, value: Any) -> Node:
        if value is None or type(value) in (bool, int, str) or (type(value) is float and np.isfinite(value)):
            return value
        return self._tagged(value)

    def _tagged(self, value: Any) -> Node:
        if type(value) is float:
            return ["f", str(value)]
        if isinstance(value, Enum):
            return ["e", _name(type(value)), self.node(value.value)]
        if isinstance(value, (str, np.generic)):
            return str(value) if isinstance(value, str) else ["n", value.dtype.str, self.node(value.item())]
        if isinstance(value, date):
            return ["time" if isinstance(value, datetime) else "date", value.isoformat()]
        return self._row(value) if isinstance(value, Model) else self._object(value)

    def _row(self, row: Model) -> Node:
        if row.pk is None:
            raise ResultFormError(f"a row that is not saved: {row!r}")
        model = str(row._meta)  # noqa: SLF001 -- its name, public in Django
        if row.pk not in self.rows.setdefault(model, []):
            self.rows[model].append(row.pk)
        return ["m", model, row.pk]

    def _object(self, value: Any) -> Node:
        if id(value) not in self._index_by_id:
            self._alive.append(value)
            node = self._array(value) if isinstance(value, np.ndarray) else self._composite(value)
            self._index_by_id[id(value)] = len(self.objects)
            self.objects.append(node)
        return ["r", self._index_by_id[id(value)]]

    def _composite(self, value: Any) -> Node:
        if type(value) is tuple and len(value) >= MANY and all(type(each) is str for each in value):
            text = BETWEEN.join(value)
            if text.count(BETWEEN) == len(value) - 1:
                return ["w", *self._array(np.frombuffer(text.encode(), dtype=np.uint8))[1:]]
        for tag, kind in _SEQUENCES.items():
            if type(value) is kind:
                return [tag, [self.node(each) for each in value]]
        if isinstance(value, Mapping):
            return ["d", [[self.node(key), self.node(each)] for key, each in value.items()]]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ["t", _name(type(value)), [self.node(each) for each in value]]
        if not is_dataclass(value) or isinstance(value, type):
            raise ResultFormError(f"no form for {type(value)}")
        gone = self.lets_go.get(type(value), frozenset())
        return ["o", _name(type(value)), {n: self.node(each) for n, each in vars(value).items() if n not in gone}]

    def _array(self, array: NDArray[Any]) -> Node:
        if array.dtype.kind not in KINDS:
            raise ResultFormError(f"no form for an array of {array.dtype}")
        data = np.ascontiguousarray(_narrow(array)).tobytes()
        self.heads.append([array.dtype.str, _narrow(array).dtype.str, list(array.shape), len(data)])
        self.pieces.append(data)
        return ["a", len(self.heads) - 1]


_SEQUENCES: dict[str, Callable[[Any], Any]] = {"l": list, "u": tuple, "s": set, "z": frozenset}


class _Reader:
    def __init__(self, head: dict[str, Any], data: memoryview) -> None:
        self.head = head
        self.rows = {model: _rows(model, keys) for model, keys in head["rows"].items()}
        self.arrays = list(_arrays(head["arrays"], data))
        self.objects: list[Any] = []
        for node in head["objects"]:
            self.objects.append(self._by_tag(*node))

    def value(self, node: Node) -> Any:
        return self._by_tag(*node) if isinstance(node, list) else node

    def _by_tag(self, tag: str, *parts: Any) -> Any:
        if tag in _SEQUENCES:
            return _SEQUENCES[tag](map(self.value, parts[0]))
        return _READ[tag](self, *parts)

    def dataclass(self, name: str, state: dict[str, Node]) -> object:
        made_of = _class(name)
        if not is_dataclass(made_of):
            raise ResultFormError(f"{name} is no dataclass")
        instance: object = made_of.__new__(made_of)
        instance.__dict__.update({each: self.value(node) for each, node in state.items()})
        return instance

    def enumeration(self, name: str, node: Node) -> object:
        made_of = _class(name)
        if not issubclass(made_of, Enum):
            raise ResultFormError(f"{name} is no enumeration")
        return made_of(self.value(node))

    def named_tuple(self, name: str, nodes: list[Node]) -> object:
        made_of = _class(name)
        if not (issubclass(made_of, tuple) and hasattr(made_of, "_fields")):
            raise ResultFormError(f"{name} is no named tuple")
        return made_of(*map(self.value, nodes))


_READ: dict[str, Callable[..., Any]] = {
    "r": lambda reader, index: reader.objects[index],
    "a": lambda reader, index: reader.arrays[index],
    "m": lambda reader, model, key: reader.rows[model][key],
    "d": lambda reader, pairs: {reader.value(key): reader.value(each) for key, each in pairs},
    "w": lambda reader, index: tuple(reader.arrays[index].tobytes().decode().split(BETWEEN)),
    "f": lambda _reader, text: float(text),
    "n": lambda reader, kind, node: np.dtype(kind).type(reader.value(node)),
    "time": lambda _reader, text: datetime.fromisoformat(text),
    "date": lambda _reader, text: date.fromisoformat(text),
    "o": _Reader.dataclass,
    "e": _Reader.enumeration,
    "t": _Reader.named_tuple,
}


def _arrays(heads: list[list[Any]], data: memoryview) -> "list[NDArray[Any]]":
    arrays, at = [], 0
    for kind, written, shape, n in heads:
        if np.dtype(kind).kind not in KINDS:
            raise ResultFormError(f"an array of {kind}")
        array = np.frombuffer(data[at : at + n], dtype=written).reshape(shape).astype(kind)
        array.setflags(write=False)
        arrays.append(array)
        at += n
    return arrays


def _rows(model: str, keys: list[Any]) -> dict[Any, Model]:
    rows: dict[Any, Model] = apps.get_model(model)._default_manager.in_bulk(keys)  # noqa: SLF001 -- public in Django
    return rows


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """In as few bytes as hold the same values."""
    if array.dtype == np.float64:
        return next((each for kind in (np.float16, np.float32) if _same(each := _as(array, kind), array)), array)
    if array.dtype != np.int64 or not array.size:
        return array
    low, high = int(array.min()), int(array.max())
    fitting = (kind for kind in NARROW if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
    return array.astype(next(fitting, np.int64))


def _as(array: NDArray[Any], kind: type) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        return array.astype(kind)


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Zeros below nothing apart from zeros."""
    is_equal = np.array_equal(one, other, equal_nan=True)
    return bool(is_equal and np.array_equal(np.signbit(one), np.signbit(other)))


def _name(kind: type) -> str:
    if kind.__module__.partition(".")[0] != OURS:
        raise ResultFormError(f"no form for {kind}")
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str) -> type:
    module, _, qualified = name.partition(":")
    if module.partition(".")[0] != OURS:
        raise ResultFormError(f"{name} is none of this program's")
    member: Any = import_module(module)
    for part in qualified.split("."):
        member = getattr(member, part)
    if not isinstance(member, type):
        raise ResultFormError(f"{name} is no class")
    return member
