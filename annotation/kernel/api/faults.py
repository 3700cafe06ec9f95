"""Every error that a view of the API raises, as problem details."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import UnreadablePostError
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.kernel.problem_details import CONTENT_TYPE, detail_of, problem_details

NO_FIELD = "non_field_errors"  # what DRF calls reasons that are about no field, or about several


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body of this request is too large."


def answer_fault(fault: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's status and headers; what Django refuses in a body is answered in JSON as well."""
    if isinstance(fault, RequestDataTooBig):
        fault = TooLarge()
    elif isinstance(fault, TooManyFieldsSent | TooManyFilesSent):
        fault = ParseError(str(fault))
    elif isinstance(fault, UnreadablePostError):
        fault = ParseError("The request broke off before its end.")
    response = exception_handler(fault, dict(context))
    if response is not None:
        code = getattr(fault, "problem", "")
        response.data = _body(response.status_code, response.data, code)
        response.content_type = CONTENT_TYPE
    return response


def _body(status_code: int, data: Any, code: str) -> dict[str, Any]:
    if isinstance(data, dict) and set(data) == {"detail"} and isinstance(data["detail"], str):
        return problem_details(status_code, data["detail"], code=code)
    errors = reasons_by_field(data)
    general = errors.pop(NO_FIELD, [])
    detail = "; ".join([*general, *([detail_of(errors)] if errors else [])])
    return problem_details(
        status_code, detail, code=code, errors={**errors, **({NO_FIELD: general} if general else {})}
    )


def reasons_by_field(data: Any) -> dict[str, list[str]]:
    """DRF's tree of errors, flat: `{"runs": {1: ["No such run."]}}` becomes `{"runs.1": ["No such run."]}`."""
    errors: dict[str, list[str]] = {}
    for name, reason in _leaves(data, ""):
        errors.setdefault(name or NO_FIELD, []).append(reason)
    return errors


def _leaves(data: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _leaves(value, f"{name}.{key}" if name else str(key))
    elif isinstance(data, list | tuple):
        for position, value in enumerate(data):
            deeper = isinstance(value, Mapping | list | tuple)  # a list of objects has an object for each
            yield from _leaves(value, f"{name}.{position}".lstrip(".") if deeper else name)
    else:
        yield name, str(data)
