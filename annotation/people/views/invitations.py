"""Invitations: made and withdrawn by admins, opened by whoever has the link."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotation.kernel.access import ADMIN, collection_for, invitation_for, roles_in
from annotation.kernel.files import csv_file
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.tables import Column, Kind, rows_csv
from annotation.models import Collection, Invitation, User
from annotation.people.forms import InvitationsForm, JoinForm
from annotation.people.read.members import invitations_of
from annotation.people.steps.accounts import LinkGoneError
from annotation.people.steps.invitations import (
    join_by_invitation,
    join_with_new_account,
    live_invitation,
    make_invitations,
    withdraw_invitation,
)
from annotation.people.views.accounts import BACKEND, link_gone


@dataclass(frozen=True)
class InvitationRow:
    note: str
    role: str
    expires_at: datetime
    address: str


COLUMNS: tuple[Column[InvitationRow], ...] = (
    Column("note", lambda row: row.note),
    Column("role", lambda row: row.role),
    Column("expires", lambda row: row.expires_at.isoformat(timespec="minutes")),
    Column("link", lambda row: row.address, Kind.ID),
)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def invitations(request: Request, slug: str) -> HttpResponse:
    """A POST answers with the links themselves: they are shown once and kept nowhere."""
    collection = collection_for(request.user, slug, ADMIN)
    form = InvitationsForm(request.POST or None)
    rows: list[InvitationRow] = []
    if request.method == "POST" and form.is_valid():
        rows = _make(request, collection, form)
        if "csv" in request.POST:
            return csv_file(f"invitations-{collection.slug}", rows_csv(COLUMNS, rows))
        form = InvitationsForm()
    page = Paginator(invitations_of(collection), 50).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/people/invitations.html",
        collection=collection,
        section="people",
        form=form,
        rows=rows,
        page_obj=page,
    )


@login_required
@require_POST
def invitation_withdraw(request: Request, slug: str, number: int) -> HttpResponse:
    invitation = invitation_for(request.user, slug, number)
    if withdraw_invitation(invitation, actor=request.user):
        messages.success(request, "The invitation is withdrawn: its link does not work any more.")
    else:
        messages.warning(request, "That invitation was used or withdrawn before.")
    return redirect("invitations", slug=slug)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """For whoever has the link. Signed in: join with this account. Else: make one. A GET changes nothing."""
    invitation = live_invitation(secret)
    if invitation is None:
        return link_gone(request)
    enter = _join if request.user.is_authenticated else _sign_up
    try:
        return enter(request, invitation, secret)
    except LinkGoneError:
        return link_gone(request)


def _join(request: HttpRequest, invitation: Invitation, secret: str) -> HttpResponse:
    assert isinstance(request.user, User)
    has_role = invitation.role in roles_in(request.user, invitation.collection)
    if request.method == "GET" or has_role:
        return render_page(request, "annotation/people/invitation.html", invitation=invitation, has_role=has_role)
    join_by_invitation(secret, person=request.user)
    return _welcome(request, invitation)


def _sign_up(request: HttpRequest, invitation: Invitation, secret: str) -> HttpResponse:
    form = JoinForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        username, password = form.cleaned_data["username"], form.cleaned_data["password1"]
        try:
            person = join_with_new_account(secret, username=username, password=password)
        except IntegrityError:
            form.add_error("username", "A user with that username already exists.")
        else:
            login(request, person, backend=BACKEND)
            return _welcome(request, invitation)
    return render_page(request, "annotation/people/invitation.html", invitation=invitation, form=form)


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    messages.success(request, f"Welcome to {invitation.collection.name}.")
    return redirect("home")


def _make(request: Request, collection: Collection, form: InvitationsForm) -> list[InvitationRow]:
    role, notes, days = (form.cleaned_data[name] for name in ("role", "notes", "days"))
    pairs = make_invitations(collection, role=role, notes=notes, days=days, actor=request.user)
    return [_row(request, invitation, secret) for invitation, secret in pairs]


def _row(request: Request, invitation: Invitation, secret: str) -> InvitationRow:
    address = request.build_absolute_uri(reverse("invitation", args=[secret]))
    return InvitationRow(invitation.note, invitation.role, invitation.expires_at, address)
