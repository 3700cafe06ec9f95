"""The demo collection, by one click."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.home.steps.demo import ask_demo
from annotation.kernel.access import require_may_create_collections
from annotation.kernel.request import Request


@login_required
@require_POST
def demo_load(request: Request) -> HttpResponse:
    """The job's page leads to the collection."""
    job = ask_demo(require_may_create_collections(request.user))
    return redirect("job", token=job.token)
