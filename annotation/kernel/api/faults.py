from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import UnreadablePostError
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.response import Response
from rest_framework.views import exception_handler


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body of this request is too large."


def answer_fault(fault: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's answer; what Django refuses in a body is answered in JSON as well."""
    if isinstance(fault, RequestDataTooBig):
        fault = TooLarge()
    elif isinstance(fault, TooManyFieldsSent | TooManyFilesSent):
        fault = ParseError(str(fault))
    elif isinstance(fault, UnreadablePostError):
        fault = ParseError("The request broke off before its end.")
    return exception_handler(fault, dict(context))
