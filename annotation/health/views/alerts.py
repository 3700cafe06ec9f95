"""What goes wrong in the open batches of a collection; setting an alert aside; the thresholds."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from annotation.health.forms import AlertsForm, NoteForm
from annotation.health.pages.cached import alerts_now
from annotation.health.read.alerts import alert_events, alert_settings, open_batches
from annotation.health.steps import choose_alerts, set_aside, show_again
from annotation.kernel.access import ADMIN, RESEARCH, batch_for, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def alerts(request: Request, slug: str) -> HttpResponse:
    """Of all batches under way, or of the one that `?batch=` names; asked by htmx, its line alone."""
    collection = collection_for(request.user, slug, RESEARCH)
    token = request.GET.get("batch")
    batches = [each for each in open_batches(collection) if token in {None, each.token}]
    part = request.headers.get("HX-Request") == "true"
    return render_page(
        request,
        "annotation/health/alerts_part.html" if part else "annotation/health/alerts.html",
        collection=collection,
        section="alerts",
        batches=[(each, alerts_now(each)) for each in batches],
        shows_batch_names=token is None,
    )


@login_required
@require_http_methods(["GET", "POST"])
def batch_alert(request: Request, slug: str, token: str) -> HttpResponse:
    """Set the alert that the address names aside, or show it again."""
    batch = batch_for(request.user, slug, token, ADMIN)
    rule, about = request.GET.get("rule", ""), request.GET.get("about", "")
    alert = alerts_now(batch).one(rule, about)
    events = alert_events(batch, rule, about)
    if alert is None:
        if not events:
            raise Http404("There is no such alert.")
        messages.info(request, "This alert is no longer raised.")
        return redirect("batch_health", slug=slug, token=token)
    form = NoteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        change = show_again if alert.event else set_aside
        change(batch, alert.alert, note=form.cleaned_data["note"], actor=request.user)
        messages.success(request, "Shown again." if alert.event else "Dismissed. It comes back if it gets worse.")
        return redirect("batch_health", slug=slug, token=token)
    return render_page(
        request,
        "annotation/health/batch_alert.html",
        collection=batch.collection,
        section="alerts",
        batch=batch,
        shown=alert,
        events=events,
        form=form,
        status=422 if form.errors else 200,
    )


@login_required
@require_http_methods(["GET", "POST"])
def alerts_settings(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    initial = AlertsForm.begin(alert_settings(collection), collection.cost_per_judgment, collection.currency)
    form = AlertsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        cost, currency = form.cleaned_data["cost_per_judgment"], form.cleaned_data["currency"]
        choose_alerts(collection, form.settings(), cost=cost, currency=currency, actor=request.user)
        messages.success(request, "Saved.")
        return redirect("alerts", slug=slug)
    return render_page(
        request,
        "annotation/health/alerts_settings.html",
        collection=collection,
        section="alerts",
        form=form,
        status=422 if form.errors else 200,
    )
