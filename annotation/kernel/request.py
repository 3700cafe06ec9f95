"""The request as the views behind `login_required` see it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from annotation.models import User


class Request(HttpRequest):
    """A signed-in person's request; only for annotations, Django makes the object."""

    user: User
    htmx: HtmxDetails
