"""The inbox: what concerns whoever is signed in, in all of their collections."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation.home.read.inbox import inbox_of, notice_for
from annotation.home.steps.inbox import mark_all_read, mark_read
from annotation.kernel.notices import address_of
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.text.counted import counted

SHOWN = 25


@login_required
@require_GET
def inbox(request: Request) -> HttpResponse:
    """With `?unread=yes` what was not read."""
    unread = request.GET.get("unread") == "yes"
    page = Paginator(inbox_of(request.user, unread=unread), SHOWN).get_page(request.GET.get("page"))
    return render_page(
        request,
        "annotation/home/inbox.html",
        page_obj=page,
        entries=[(notice, address_of(notice)) for notice in page],
        newest=inbox_of(request.user).first(),
        unread=unread,
    )


@login_required
@require_POST
def inbox_read(request: Request, token: str) -> HttpResponse:
    """To the script, which asks on the way to the thing, nothing is said."""
    mark_read(notice_for(request.user, token))
    return HttpResponse(status=204) if "X-Inbox" in request.headers else redirect("inbox")


@login_required
@require_POST
def inbox_read_all(request: Request, token: str) -> HttpResponse:
    """Up to the entry that the address names: what came in since the page was drawn stays unread."""
    n_read = mark_all_read(request.user, until=notice_for(request.user, token))
    messages.success(request, f"Marked {counted(n_read, 'entry', 'entries')} as read.")
    return redirect("inbox")
