"""Whom messages go to, and what became of them: for admins."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.listing import render_listing
from annotation.kernel.request import Request
from annotation.models import Recipient
from annotation.outgoing.forms import RecipientForm
from annotation.outgoing.pages import delivery_list, recipient_list
from annotation.outgoing.read import deliveries_of, kinds_on, recipient_of, recipients_of
from annotation.outgoing.steps.allowed_addresses import OutgoingError
from annotation.outgoing.steps.messages import write_test
from annotation.outgoing.steps.recipients import add_recipient, end_recipient, secret_of


@login_required
@require_http_methods(["GET", "POST"])
def outgoing(request: Request, slug: str) -> HttpResponseBase:
    """What is posted adds a recipient; of a webhook the answer has the secret, once."""
    collection = collection_for(request.user, slug, ADMIN)
    form, secret = RecipientForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            recipient = add_recipient(collection, **form.cleaned_data, actor=request.user)
            secret = secret_of(recipient) if recipient.kind == Recipient.Kind.WEBHOOK else ""
            form = RecipientForm()
        except OutgoingError as reason:
            form.add_error("address", str(reason))
    return render_listing(
        request,
        "annotation/outgoing/outgoing.html",
        delivery_list(),
        deliveries_of(collection),
        collection=collection,
        others={"recipients": (recipient_list(), recipients_of(collection))},
        section="outgoing",
        form=form if kinds_on() else None,
        secret=secret,
        status=422 if form.errors else 200,
    )


@login_required
@require_POST
def outgoing_end(request: Request, slug: str, token: str) -> HttpResponse:
    recipient = _recipient(request, slug, token)
    try:
        end_recipient(recipient, actor=request.user)
        messages.success(request, f"No message goes to {recipient} any more.")
    except OutgoingError as reason:
        messages.error(request, str(reason))
    return redirect("outgoing", slug=slug)


@login_required
@require_POST
def outgoing_test(request: Request, slug: str, token: str) -> HttpResponse:
    recipient = _recipient(request, slug, token)
    try:
        write_test(recipient)
        messages.success(request, "A test is being sent; the list below shows the result.")
    except OutgoingError as reason:
        messages.error(request, str(reason))
    return redirect("outgoing", slug=slug)


def _recipient(request: Request, slug: str, token: str) -> Recipient:
    recipient = recipient_of(collection_for(request.user, slug, ADMIN), token)
    if recipient is None:
        raise Http404("No such recipient.")
    return recipient
