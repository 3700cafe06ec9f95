"""The serializer of a table's rows, made from its columns."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework import serializers

from annotation.kernel.tables import Column, Kind, Row

FIELDS: dict[Kind, type[serializers.Field[Any, Any, Any, Any]]] = {
    Kind.ID: serializers.CharField,
    Kind.TEXT: serializers.CharField,
    Kind.WHOLE: serializers.IntegerField,
    Kind.NUMBER: serializers.FloatField,
    Kind.YES_NO: serializers.BooleanField,
    Kind.TIME: serializers.DateTimeField,
}


# A row as its columns read it; their fields are for the schema, which would repeat a docstring here.
class RowSerializer(serializers.Serializer[Any]):
    columns: ClassVar[Sequence[Column[Any]]] = ()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {column.name: column.get(instance) for column in self.columns}


def serializer_of(name: str, columns: Sequence[Column[Row]], description: str = "") -> type[RowSerializer]:
    """`name`: of the component in the schema; `description` stands beside it there."""
    fields = {column.name: _field(column) for column in columns}
    return type(f"{name}Serializer", (RowSerializer,), {**fields, "columns": columns, "__doc__": description or None})


def _field(column: Column[Row]) -> serializers.Field[Any, Any, Any, Any]:
    options: dict[str, Any] = {"help_text": column.help} if column.help else {}
    if column.nullable:
        options["allow_null"] = True
    if column.choices:
        return serializers.ChoiceField(column.choices, **options)
    return FIELDS[column.kind](**options)
