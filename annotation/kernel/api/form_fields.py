"""What a form of the pages asks for, as fields of a serializer: one declaration for people and for programs.

The serializer sees to types; the form itself then judges what was sent, and its errors are the
answer's.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from rest_framework import serializers

Field = serializers.Field[Any, Any, Any, Any]


def serializer_of_fields(
    name: str,
    fields: Mapping[str, forms.Field],
    *,
    description: str = "",
    partial: bool = False,
    others: Mapping[str, Field] | None = None,
) -> type[serializers.Serializer[None]]:
    """`name`: of the component in the schema. `partial`: nothing has to be sent. `others`: instead of, or beside, the
    form's own.
    """
    asked = {each: field_of(field, required=field.required and not partial) for each, field in fields.items()}
    members: dict[str, Any] = {**asked, **(others or {}), "__doc__": description or None}
    return type(f"{name}Serializer", (serializers.Serializer,), members)


def field_of(field: forms.Field, *, required: bool) -> Field:
    options: dict[str, Any] = {"required": required, "help_text": _help(field)}
    if isinstance(field, forms.MultipleChoiceField | forms.ModelMultipleChoiceField):
        return serializers.ListField(child=serializers.CharField(), **options)
    if isinstance(field, forms.ModelChoiceField | forms.DateField):
        kind = serializers.DateField if isinstance(field, forms.DateField) else serializers.CharField
        return kind(allow_null=not field.required, **options)
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        return serializers.ChoiceField(list(choices), allow_blank=not field.required, **options)
    if isinstance(field, forms.BooleanField):
        return serializers.BooleanField(**options)
    if isinstance(field, forms.IntegerField):
        return _number(field, allow_null=not field.required, **options)
    if isinstance(field, forms.CharField):
        options |= {"max_length": field.max_length, "allow_blank": not field.required, "trim_whitespace": False}
        return serializers.CharField(**options)
    raise TypeError(f"no field of a serializer for {type(field).__name__}")


def _number(field: forms.IntegerField, **options: Any) -> Field:
    bounds: dict[str, Any] = {"min_value": field.min_value, "max_value": field.max_value}
    if isinstance(field, forms.DecimalField):
        digits: dict[str, Any] = {"max_digits": field.max_digits, "decimal_places": field.decimal_places}
        return serializers.DecimalField(**digits, **bounds, **options)
    kind = serializers.FloatField if isinstance(field, forms.FloatField) else serializers.IntegerField
    return kind(**bounds, **options)


def _help(field: forms.Field) -> str:
    """What stands beside the field on the page."""
    return ": ".join(filter(None, (str(field.label or ""), str(field.help_text))))
