"""The collection's scale: what each grade means."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.corpus.forms.collections import grade_formset
from annotation.corpus.steps.scales import ScaleFixedError, revise_scale, why_number_of_grades_is_fixed
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import MOST_GRADES


@login_required
@require_http_methods(["GET", "POST"])
def scale(request: Request, slug: str) -> HttpResponse:
    """As many rows as there are grades where their number is fixed; else as many as a scale may have."""
    collection = collection_for(request.user, slug, ADMIN)
    reason = why_number_of_grades_is_fixed(collection)
    current = collection.scale.grades if collection.scale else []
    rows = grade_formset(len(current) if reason else MOST_GRADES)(
        request.POST or None, initial=current, prefix="grades"
    )
    refusal = ""
    if request.method == "POST" and rows.is_valid():
        try:
            revise_scale(collection, grades=rows.grades(), actor=request.user)
        except ScaleFixedError as fixed:
            refusal = str(fixed)
        else:
            messages.success(request, "The scale is saved. Batches that are laid out keep the one they have.")
            return redirect("guideline", slug=slug)
    return render_page(
        request,
        "annotation/corpus/scale.html",
        collection=collection,
        section="guideline",
        rows=rows,
        reason=reason,
        refusal=refusal,
    )
