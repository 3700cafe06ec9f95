"""Several annotators chosen in the table, paused or excluded together."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.forms import ReasonForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.kernel.visible import visible_annotators
from annotation.models import Annotator
from annotation.text.counted import counted
from annotation.trust.steps.several_people import exclude_together, pause_together

# What the address says, what the button says, and the step.
DEEDS: Mapping[str, tuple[str, Callable[..., list[Annotator]]]] = MappingProxyType(
    {"pause": ("Pause", pause_together), "exclude": ("Exclude", exclude_together)}
)


@login_required
@require_http_methods(["GET", "POST"])
def annotators_together(request: Request, slug: str) -> HttpResponse:
    """The address names the deed and the people; the page asks why."""
    collection = collection_for(request.user, slug, ADMIN)
    deed = request.GET.get("deed", "")
    if deed not in DEEDS:
        raise Http404("There is no such deed.")
    verb, change = DEEDS[deed]
    people = list(visible_annotators(collection).filter(pseudonym__in=request.GET.getlist("names")))
    back = QueryDict(request.GET.get("back", "")).urlencode()  # only ever a query, never an address
    address = f"{reverse('quality_annotators', kwargs={'slug': slug})}?{back}"
    if not people:
        messages.error(request, "Tick people in the table first.")
        return redirect(address)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        changed = change(people, **form.cleaned_data, actor=request.user)
        messages.success(request, _words(verb, len(changed), len(people)))
        return redirect(address)
    return render_page(
        request,
        "annotation/trust/annotators_together.html",
        collection=collection,
        section="quality",
        verb=verb,
        people=sorted(people, key=lambda person: person.pseudonym),
        form=form,
        back=address,
        status=422 if form.errors else 200,
    )


def _words(verb: str, n_changed: int, n_chosen: int) -> str:
    done = f"{counted(n_changed, 'person', 'people')} {verb.lower()}d."
    left = n_chosen - n_changed
    if not left:
        return done
    return f"{done} {counted(left, 'other', 'others')} did not need it, or cannot get cards."
