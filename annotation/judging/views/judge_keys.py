"""The person's own keys on the judging page."""

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.judging.forms import KeysForm
from annotation.judging.read.scales import grades_of
from annotation.judging.steps.choices import choices_of, choose_keys
from annotation.kernel.page import render_page
from annotation.kernel.request import Request

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def judge_keys(request: Request) -> HttpResponse:
    """`reset` among the fields brings the usual keys back; `batch` in the query is where the person came from."""
    if "reset" in request.POST:
        return _keep(request, {}, "The usual keys are back.")
    form = KeysForm(request.POST or None, choices=choices_of(request.user), grades=grades_of(request.user))
    if request.method == "POST" and form.is_valid():
        return _keep(request, form.cleaned_data, "Your keys are saved.")
    return render_page(request, "annotation/judging/judge_key_choices.html", form=form, batch=_batch(request))


def _keep(request: Request, keys: dict[str, str], message: str) -> HttpResponse:
    choose_keys(request.user, keys=keys)
    messages.success(request, message)
    batch = _batch(request)
    return redirect(reverse("judge_keys") + (f"?batch={batch}" if batch else ""))


def _batch(request: Request) -> str:
    """The token of the batch, or "" where the query says none."""
    token = request.GET.get("batch", "")
    return token if TOKEN.fullmatch(token) else ""
