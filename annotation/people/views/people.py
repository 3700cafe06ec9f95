"""The members of a collection, for its admins."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.kernel.access import (
    ADMIN,
    collection_for,
    may_reset_password,
    person_for,
    require_may_reset_password,
    roles_in,
)
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from annotation.people.forms import RolesForm
from annotation.people.pages.people_list import PEOPLE
from annotation.people.read.members import members_of
from annotation.people.steps.accounts import LINK_DAYS, make_password_link
from annotation.people.steps.members import LastAdminError, change_roles, remove_member


@login_required
@require_GET
def people(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, ADMIN)
    rows = members_of(collection)
    return render_listing(request, "annotation/people/people.html", PEOPLE, rows, collection=collection)


@login_required
@require_http_methods(["GET", "POST"])
def people_person(request: Request, slug: str, username: str) -> HttpResponse:
    collection, person = person_for(request.user, slug, username)
    form = RolesForm(request.POST or None, initial={"roles": sorted(roles_in(person, collection))})
    if request.method == "POST" and form.is_valid():
        try:
            change_roles(collection, person, roles=set(form.cleaned_data["roles"]), actor=request.user)
        except LastAdminError as error:
            form.add_error("roles", str(error))
        else:
            messages.success(request, f"The roles of {person.username} are saved.")
            return _go_on(request, collection)
    return render_page(
        request,
        "annotation/people/people_person.html",
        collection=collection,
        section="people",
        person=person,
        form=form,
        may_reset=may_reset_password(request.user, person),
    )


@login_required
@require_POST
def people_remove(request: Request, slug: str, username: str) -> HttpResponse:
    collection, person = person_for(request.user, slug, username)
    try:
        remove_member(collection, person, actor=request.user)
    except LastAdminError as error:
        messages.error(request, str(error))
        return redirect("people_person", slug=slug, username=username)
    messages.success(request, f"{person.username} has no role here any more. Their judgments stay.")
    return _go_on(request, collection)


@login_required
@never_cache
@require_POST
def people_password_link(request: Request, slug: str, username: str) -> HttpResponse:
    """Answers with the page itself: the link is shown once and kept nowhere."""
    collection, person = person_for(request.user, slug, username)
    require_may_reset_password(request.user, person)
    secret = make_password_link(person, actor=request.user, collection=collection)
    address = request.build_absolute_uri(reverse("password_link", args=[secret]))
    return render_page(
        request,
        "annotation/people/people_password_link.html",
        collection=collection,
        section="people",
        person=person,
        address=address,
        days=LINK_DAYS,
    )


def _go_on(request: Request, collection: Collection) -> HttpResponse:
    """Back to the list; or to the start, for an admin who gave up that role."""
    if roles_in(request.user, collection) & ADMIN:
        return redirect("people", slug=collection.slug)
    return redirect("home")
