"""Pairs of a list sent to those who decide."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from annotation.review.forms.adjudication import SendForm
from annotation.review.steps.adjudication import send_pairs, sending_of
from annotation.trust.pages.choice import judged_choice
from annotation.trust.pages.pair_list import chosen_pairs
from annotation.trust.pages.report import quality_report


@login_required
@require_POST
def adjudication_send(request: Request, slug: str) -> HttpResponse:
    """Asks why, then sends what was ticked in the list of pairs that drop, or all that its address finds."""
    collection = collection_for(request.user, slug, ADMIN)
    pairs = _pairs(request, collection)
    back = f"{reverse('quality_pairs', kwargs={'slug': slug})}?{request.GET.urlencode()}"
    if not pairs:
        messages.error(request, "Tick pairs in the table first.")
        return redirect(back)
    form = SendForm(request.POST if "reason" in request.POST else None)
    if form.is_valid():
        sending = send_pairs(collection, pairs, **form.cleaned_data, actor=request.user, moment=timezone.now())
        messages.success(request, sending.words)
        return redirect(back)
    return render_page(
        request,
        "annotation/review/adjudication_send.html",
        collection=collection,
        section="quality",
        sending=sending_of(collection, pairs),
        form=form,
        which=request.POST.get("which", ""),
        keys=request.POST.getlist("pair"),
        back=back,
        here=request.GET.urlencode(),
        status=422 if form.errors else 200,
    )


def _pairs(request: Request, collection: Collection) -> list[tuple[str, str]]:
    choice = judged_choice(request, collection)
    report = quality_report(collection, choice.chosen_batches(), choice.parameters())
    return chosen_pairs(collection, report, request.POST, request.GET)
