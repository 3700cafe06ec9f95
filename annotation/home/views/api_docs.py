"""The API, to be read: what programs can do here, and what its errors mean."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotation.home.pages.api_docs import shapes, subjects
from annotation.kernel.page import render_page
from annotation.kernel.problem_details import BY_CODE, KINDS
from annotation.kernel.request import Request


@login_required
@require_GET
def api_docs(request: Request) -> HttpResponse:
    host = request.build_absolute_uri("/").rstrip("/")
    return render_page(
        request, "annotation/home/api_docs.html", subjects=subjects(host), shapes=shapes(), problems=KINDS
    )


@login_required
@require_GET
def api_problem(request: Request, code: str) -> HttpResponse:
    """What the `type` of an error leads to: its line on the page."""
    if code not in BY_CODE:
        raise Http404("There is no such kind of error.")
    return redirect(f"{reverse('api_docs')}#problem-{code}")
