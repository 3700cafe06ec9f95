"""A pool where there are no runs: the form; a job makes it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation.corpus.steps.pooling import MOST_AT_ONCE
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from evaluation.pooling.forms import WithoutRunsForm
from evaluation.pooling.steps.without_runs import ask_pool


@login_required
@require_http_methods(["GET", "POST"])
def pool_without_runs(request: Request, slug: str) -> HttpResponse:
    """How many pairs there are stands above the form, which may begin with `numbers` of topics; the job's page leads to
    the pool. `back`: who comes from the list of topics has ticked some, for else all would be taken."""
    collection = collection_for(request.user, slug, RESEARCH)
    topics = " ".join(request.GET.getlist("numbers"))
    if "back" in request.GET and not topics:
        messages.error(request, "Tick topics in the table first.")
        return redirect(reverse("topics", kwargs={"slug": slug}, query=QueryDict(request.GET["back"])))
    form = WithoutRunsForm(request.POST or None, collection=collection, initial={"numbers": topics})
    if request.method == "POST" and form.is_valid():
        fields = {name: form.cleaned_data[name] for name in ("name", "numbers")}
        job = ask_pool(collection, **fields, recipe=form.recipe(), created_by=request.user)
        messages.success(request, f"The pool {fields['name']} is being made.")
        return redirect("job", token=job.token)
    return render_page(
        request,
        "evaluation/pooling/pool_without_runs.html",
        collection=collection,
        section="pools",
        form=form,
        most=MOST_AT_ONCE,
        status=422 if form.errors else 200,
    )
