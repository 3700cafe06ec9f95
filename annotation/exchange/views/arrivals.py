"""Whole collections, in: a file is looked through, what it brings is shown, then published as a new collection."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.exchange.forms.bundles import ArrivalForm, BundleForm
from annotation.exchange.steps import bundles
from annotation.exchange.views.imports import SHOWN_PROBLEMS, problems_file
from annotation.kernel.access import arrival_for, require_may_create_collections
from annotation.kernel.page import render_page, render_polled
from annotation.kernel.request import Request


@login_required
@require_http_methods(["GET", "POST"])
def collection_bring(request: Request) -> HttpResponse:
    """A new collection from a bundle or a BEIR folder; below the form, what was uploaded lately."""
    person = require_may_create_collections(request.user)
    form = BundleForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file, slug, grades = (form.cleaned_data[name] for name in ("file", "slug", "grades"))
        job = bundles.start_arrival(file.file, filename=file.name, slug=slug, created_by=person, grades=grades)
        return redirect("arrival", token=job.token)
    return render_page(
        request,
        "annotation/exchange/collection_bring.html",
        form=form,
        arrivals=bundles.arrivals_of(person),
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def arrival(request: Request, token: str) -> HttpResponse:
    """How far it is, what it would bring, or every problem."""
    current = bundles.arrival_of(arrival_for(request.user, token))
    return render_polled(
        request,
        "annotation/exchange/arrival.html",
        part="annotation/exchange/arrival_body.html",
        live=current.job.is_live,
        collection=None,
        arrival=current,
        page_obj=Paginator(current.problems, SHOWN_PROBLEMS).get_page(request.GET.get("page")),
        form=ArrivalForm(initial={"slug": current.slug}),
    )


@login_required
@require_POST
def arrival_publish(request: Request, token: str) -> HttpResponse:
    check = arrival_for(request.user, token)
    person, form = require_may_create_collections(request.user), ArrivalForm(request.POST)
    try:
        if form.is_valid():
            bundles.publish_arrival(check, slug=form.cleaned_data["slug"], actor=person)
    except ValueError as error:
        messages.error(request, str(error))
    for reasons in form.errors.values():
        messages.error(request, f"Short name: {' '.join(map(str, reasons))}")
    return redirect("arrival", token=token)


@login_required
@require_POST
def arrival_discard(request: Request, token: str) -> HttpResponse:
    check = arrival_for(request.user, token)
    try:
        bundles.discard_arrival(check, actor=request.user)
    except ValueError as error:
        messages.error(request, str(error))
        return redirect("arrival", token=token)
    messages.success(request, f"{check.payload['filename']} is discarded and deleted.")
    return redirect("collection_bring")


@login_required
@require_GET
def arrival_problems(request: Request, token: str) -> HttpResponse:
    """Every problem that was kept, as text: `file:line: reason`."""
    current = bundles.arrival_of(arrival_for(request.user, token))
    return problems_file(current.problems, current.n_problems, filename="arrival-problems.txt")
