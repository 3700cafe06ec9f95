"""Policies: what there are, and a new one."""

from dataclasses import asdict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_file
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection, Policy
from annotation.trust.forms.quality import ChoiceOfPolicies, PolicyForm
from annotation.trust.pages.policies import comparison_plot, new_policy_query, parameters_in_words
from annotation.trust.pages.policy_tables import COMPARED
from annotation.trust.read.comparison import Comparison, compare_policies
from annotation.trust.read.policies import parameters_of, policies_of, policy_named
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.policies import store_policy


@login_required
@require_GET
def policies(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    rows = [(policy, parameters_in_words(parameters_of(policy))) for policy in policies_of(collection)]
    return render_page(request, "annotation/trust/policies.html", collection=collection, section="policies", rows=rows)


@login_required
@require_http_methods(["GET", "POST"])
def policy_new(request: Request, slug: str) -> HttpResponse:
    """Begins as the policy that `from` names, with what else the address says."""
    collection = collection_for(request.user, slug, RESEARCH)
    form = PolicyForm(request.POST or None, initial=_begin(request, policies_of(collection)))
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        policy = store_policy(collection, name=name, parameters=form.parameters(), actor=request.user)
        messages.success(request, f"The policy {policy} is stored.")
        return redirect("policies", slug=slug)
    return render_page(
        request,
        "annotation/trust/policy_new.html",
        collection=collection,
        section="policies",
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def policies_compare(request: Request, slug: str) -> HttpResponse:
    """Computes once something is chosen: with many judgments it takes some seconds."""
    collection = collection_for(request.user, slug, RESEARCH)
    choice, comparison = _comparison(request, collection)
    return render_page(
        request,
        "annotation/trust/policies_compare.html",
        collection=collection,
        section="policies",
        choice=choice,
        comparison=comparison,
        rows=[(row, new_policy_query(row)) for row in comparison.rows] if comparison else [],
        plot=comparison_plot(comparison) if comparison else None,
        status=422 if choice.errors else 200,
    )


@login_required
@require_GET
def policies_compare_csv(request: Request, slug: str) -> HttpResponse:
    """What the page compares under the same address."""
    _, comparison = _comparison(request, collection_for(request.user, slug, RESEARCH))
    if comparison is None:
        raise Http404("The address chooses nothing that can be compared.")
    return csv_file(f"{slug}-policies", COMPARED.csv(comparison))


def _comparison(request: Request, collection: Collection) -> tuple[ChoiceOfPolicies, Comparison | None]:
    choice = ChoiceOfPolicies(
        request.GET if {"batch", "policy", "rule"} & request.GET.keys() else None,
        batches=judged_batches(collection),
        policies=policies_of(collection),
    )
    return choice, choice.report(lambda batches: compare_policies(collection, batches, choice.parameters()))


def _begin(request: Request, stored: list[Policy]) -> dict[str, object]:
    origin = policy_named(stored, request.GET.get("from", "")) or policy_named(stored, "default")
    assert origin is not None
    initial = {"name": origin.name, **asdict(parameters_of(origin))}
    return initial | {name: _plain(request.GET[name]) for name in initial if name in request.GET}


def _plain(value: str) -> object:
    return {"True": True, "False": False, "None": None}.get(value, value)
