"""Where a person arrives."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.access import may_create_collections
from annotation.queries.own_appeals import batches_with_answers
from annotation.queries.own_results import batches_with_news
from annotation.queries.waiting import has_begun, places_of, waiting_batches
from annotation.views.page import render_page
from annotation.views.request import Request


@login_required
@require_GET
def home(request: Request) -> HttpResponse:
    return render_page(
        request,
        "annotation/home.html",
        places=places_of(request.user),
        waiting=waiting_batches(request.user),
        has_begun=has_begun(request.user),
        news=batches_with_news(request.user),
        answers=batches_with_answers(request.user),
        may_create=may_create_collections(request.user),
        needs_password=not request.user.has_usable_password(),
    )
