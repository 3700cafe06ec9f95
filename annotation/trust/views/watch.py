"""The settings of the watch on critical errors, with how often each choice errs."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.trust.forms.watch import WatchForm
from annotation.trust.pages.watch import bounds_in_words, rate_rows, rates_in_short, runs_rows
from annotation.trust.read.watch import watch_settings
from annotation.trust.steps.watch import choose_watch


@login_required
@require_http_methods(["GET", "POST"])
def quality_watch(request: Request, slug: str) -> HttpResponse:
    """The settings on trial stand in the address; a POST to it makes them the collection's."""
    collection = collection_for(request.user, slug, ADMIN if request.method == "POST" else RESEARCH)
    current = watch_settings(collection)
    form = WatchForm(request.GET or None, begin=current)
    tried = form.settings() if form.is_valid() else None
    if request.method == "POST" and tried:
        choose_watch(collection, tried, actor=request.user)
        messages.success(request, "Saved. The watch uses these settings now; it excludes nobody.")
        return redirect("quality_watch", slug=slug)
    shown = tried or current
    return render_page(
        request,
        "annotation/trust/quality_watch.html",
        collection=collection,
        section="quality",
        form=form,
        changed=shown != current,
        here=request.GET.urlencode(),
        settings=shown,
        rates=rate_rows(shown),
        runs=runs_rows(shown),
        good=f"{shown.good:.2f}",
        poor=f"{shown.poor:.2f}",
        in_short=rates_in_short(shown),
        bounds=bounds_in_words(shown),
        status=422 if form.errors or request.method == "POST" else 200,
    )
