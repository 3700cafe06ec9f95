"""Where a person arrives."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation.home.pages.led import led_lately
from annotation.home.read.start_page import has_begun, own_collections, own_parts
from annotation.judging.read.own_results import batches_with_answers, batches_with_news
from annotation.kernel.access import may_create_collections
from annotation.kernel.page import render_page
from annotation.kernel.request import Request


@login_required
@require_GET
def home(request: Request) -> HttpResponse:
    collections = own_collections(request.user)
    led = led_lately(request.user, collections)
    waiting = own_parts(request.user)
    return render_page(
        request,
        "annotation/home/home.html",
        collections=collections,
        led=led,
        others=[own for own in collections if led is None or own is not led.own],
        waiting=waiting,
        is_done=not any(part.is_to_do for part in waiting),
        has_begun=has_begun(request.user),
        news=batches_with_news(request.user),
        answers=batches_with_answers(request.user),
        may_create=may_create_collections(request.user),
        needs_password=not request.user.has_usable_password(),
    )
