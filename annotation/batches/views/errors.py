"""What a person reads where a step is not possible, or where a form was not sent by the page."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse, HttpResponseBadRequest

from annotation.kernel.request import Request


@contextmanager
def shown_as_message(request: Request, error_type: type[Exception]) -> Iterator[None]:
    """An error of this type becomes a message, and what is left of the block is passed over."""
    try:
        yield
    except error_type as error:
        messages.error(request, str(error))


def bad_form(form: Form) -> HttpResponse:
    return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain; charset=utf-8")
