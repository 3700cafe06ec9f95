"""What a program sends, checked by the form of the page that does the same.

The serializer is made from the form: it gives the schema, and the types that JSON has and a form
does not. All else, the form says.
"""

from collections.abc import Callable, Mapping
from collections.abc import Collection as Names
from typing import Any, TypeVar

from django import forms
from rest_framework import serializers
from rest_framework.settings import api_settings

from annotation.kernel.api.page import validated_data
from annotation.kernel.api.refusals import refused

Form = TypeVar("Form", bound=forms.Form)
Entries = type[serializers.Serializer[Any]]


def serializer_of_form(
    name: str,
    form: type[forms.Form],
    /,
    *,
    without: Names[str] = (),
    description: str = "",
    **others: serializers.Field[Any, Any, Any, Any],
) -> Entries:
    """`name`: of the component in the schema; `others` stand in place of fields of the form, or beside them."""
    fields = {
        each: others.get(each) or _field(field) for each, field in form.base_fields.items() if each not in without
    }
    return type(f"{name}Serializer", (serializers.Serializer,), {**fields, **others, "__doc__": description or None})


def sent_entries(entries: Entries, data: Any, *, partial: bool = False) -> dict[str, Any]:
    """What was sent, of the right types; null is as if it were not there. Raises `ValidationError`.

    A name that is none is refused: misspelt, it would be left out and nobody would know.
    """
    serializer = entries(data=data, partial=partial)
    sent = validated_data(serializer)
    if unknown := sorted(set(data) - set(serializer.fields)):
        raise refused({name: ["There is no such entry."] for name in unknown})
    return {name: value for name, value in sent.items() if value is not None}


def checked_form(form: type[Form], sent: Mapping[str, Any], **options: Any) -> Form:
    """The form with these entries, what is not among them as the page first shows it. Raises `ValidationError`."""
    initial = {name: field.initial for name, field in form.base_fields.items() if field.initial is not None}
    bound = form({**initial, **sent}, **options)
    if not bound.is_valid():
        raise refused(form_errors(bound))
    return bound


def form_errors(form: forms.Form) -> dict[str, list[str]]:
    errors = {name: [str(reason) for reason in reasons] for name, reasons in form.errors.items()}
    return {api_settings.NON_FIELD_ERRORS_KEY if name == "__all__" else name: each for name, each in errors.items()}


def _field(field: forms.Field) -> serializers.Field[Any, Any, Any, Any]:
    options: dict[str, Any] = {"required": field.required and field.initial is None}
    if field.help_text:
        options["help_text"] = str(field.help_text)
    make = next(make for kind, make in _FIELDS if isinstance(field, kind))
    return make(field, options)


def _yes_no(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.BooleanField(**{**options, "required": False})


def _share(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.FloatField(**options, **_bounds(field))


def _whole(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.IntegerField(**options, **_bounds(field))


def _grades(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.ListField(child=serializers.IntegerField(), allow_empty=not field.required, **options)


def _names(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    child = serializers.ChoiceField([name for name, _ in field.choices])
    return serializers.ListField(child=child, allow_empty=not field.required, **options)


def _grade(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.IntegerField(**options, allow_null=not field.required)


def _name(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.ChoiceField([name for name, _ in field.choices], **options)


def _text(field: Any, options: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.CharField(**options, allow_blank=not field.required, max_length=field.max_length)


def _bounds(field: forms.IntegerField) -> dict[str, Any]:
    return {"min_value": field.min_value, "max_value": field.max_value, "allow_null": not field.required}


# The first that fits: to Django, a FloatField is an IntegerField. Choices that are whole numbers are grades.
_FIELDS: tuple[tuple[type[forms.Field], Callable[..., serializers.Field[Any, Any, Any, Any]]], ...] = (
    (forms.BooleanField, _yes_no),
    (forms.FloatField, _share),
    (forms.IntegerField, _whole),
    (forms.TypedMultipleChoiceField, _grades),
    (forms.MultipleChoiceField, _names),
    (forms.TypedChoiceField, _grade),
    (forms.ChoiceField, _name),
    (forms.CharField, _text),
)
