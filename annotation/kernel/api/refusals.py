"""Answers to requests that cannot be carried out."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.forms import BaseForm
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers, status
from rest_framework.exceptions import APIException

from annotation.formats.problems import FormatError


class NothingToChange(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "There is nothing to change."


NOTHING = OpenApiResponse(OpenApiTypes.OBJECT, "There is nothing to change, or it cannot be.")


def refused(errors: Mapping[str, Iterable[object]]) -> serializers.ValidationError:
    """The errors of a form as a 400."""
    return serializers.ValidationError({name: [str(reason) for reason in reasons] for name, reasons in errors.items()})


def reasons_of(error: FormatError, *, row: str) -> list[str]:
    """What is wrong with a list, by the place of each row in it; `row` is the noun ("Pair")."""
    return [f"{row} {each.line}: {each.reason}" if each.line else each.reason for each in error.problems]


def cleaned(form: BaseForm) -> dict[str, Any]:
    """What the form makes of what was sent. Raises `ValidationError` for what it refuses, by field."""
    if not form.is_valid():
        raise refused(form.errors)
    return form.cleaned_data


@contextmanager
def refusals(*error_types: type[Exception]) -> Iterator[None]:
    """An error of a step becomes a 400 with its words, of no single field."""
    try:
        yield
    except error_types as error:
        raise refused({"non_field_errors": [str(error)]}) from error


@contextmanager
def conflicts(*error_types: type[Exception]) -> Iterator[None]:
    """An error of a step becomes a 409 with its words."""
    try:
        yield
    except error_types as error:
        raise NothingToChange(str(error)) from error
