"""The serializer of a frozen dataclass of plain values, for the schema: its fields are read from the class itself."""

from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from rest_framework import serializers

Field = serializers.Field[Any, Any, Any, Any]
PLAIN: dict[type, type[Field]] = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    str: serializers.CharField,
}


@cache
def serializer_of_type(kind: type, name: str = "") -> type[serializers.Serializer[Any]]:
    """`name`: of the component in the schema; that of the class, if none is given. Raises `TypeError` for a field that
    JSON cannot hold."""
    members: dict[str, Any] = {field: _field(each) for field, each in get_type_hints(kind).items()}
    return type(f"{name or kind.__name__}Serializer", (serializers.Serializer,), {**members, "__doc__": None})


def _field(hint: Any, **options: Any) -> Field:
    """Tuples of one kind are lists; `X | None` may be null."""
    parts = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        (other,) = (each for each in parts if each is not NoneType)
        return _field(other, allow_null=True, **options)
    if get_origin(hint) is tuple and parts[1:] == (Ellipsis,):
        if isinstance(parts[0], type) and is_dataclass(parts[0]):
            return serializer_of_type(parts[0])(many=True, **options)
        return serializers.ListField(child=_field(parts[0]), **options)
    if isinstance(hint, type) and is_dataclass(hint):
        return serializer_of_type(hint)(**options)
    if hint not in PLAIN:
        raise TypeError(f"no field of a serializer for {hint}")
    return PLAIN[hint](**options)
