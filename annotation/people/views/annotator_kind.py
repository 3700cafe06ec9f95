"""Whether an annotator is a person or a machine judge."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.kernel.access import annotator_for
from annotation.kernel.forms import ReasonForm
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Annotator
from annotation.people.steps.annotator_kind import KindError, set_kind


@login_required
@require_http_methods(["GET", "POST"])
def annotator_kind(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    """Changes it to the other kind, with a reason."""
    annotator = annotator_for(request.user, slug, pseudonym)
    other = Annotator.Kind.PERSON if annotator.is_machine else Annotator.Kind.MACHINE
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            set_kind(annotator, kind=other, reason=form.cleaned_data["reason"], actor=request.user)
        except KindError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{pseudonym} is a {other.label.lower()} now. The figures below follow.")
            return redirect("annotator", slug=slug, pseudonym=pseudonym)
    return render_page(
        request,
        "annotation/people/annotator_kind.html",
        collection=annotator.collection,
        section="quality",
        annotator=annotator,
        form=form,
        status=422 if form.errors else 200,
    )
