"""Answers to requests that cannot be carried out."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

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


@contextmanager
def refused_as_conflict(*errors: type[Exception]) -> Iterator[None]:
    """409 with the message of a step's error: what was asked for cannot be done as things stand."""
    try:
        yield
    except errors as error:
        raise NothingToChange(str(error)) from error
