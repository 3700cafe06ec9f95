"""One annotator: how far to believe them, and why; all of them as a table to take away."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from annotation.access import RESEARCH, annotator_for, collection_for
from annotation.formats.annotators import annotators_csv as table_of
from annotation.queries.policies import parameters_of
from annotation.queries.quality import annotator_lines, annotator_report, machine_report, quality_report
from annotation.views.choice import choice_of
from annotation.views.page import render_page
from annotation.views.request import Request


@login_required
@require_GET
def annotator(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    person = annotator_for(request.user, slug, pseudonym, RESEARCH)
    choice = choice_of(request, person.collection)
    policy = choice.chosen_policy()
    asked = (person, choice.chosen_batches(), parameters_of(policy)) if choice.batches else None
    return render_page(
        request,
        "annotation/annotator.html",
        collection=person.collection,
        section="quality",
        annotator=person,
        choice=choice,
        policy=policy,
        report=annotator_report(*asked) if asked and not person.is_machine else None,
        machines=machine_report(*asked) if asked and person.is_machine else [],
    )


@login_required
@require_GET
def annotators_csv(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    choice = choice_of(request, collection)
    if not choice.batches:
        raise Http404("Nothing has been judged here.")
    report = quality_report(collection, choice.chosen_batches(), parameters_of(choice.chosen_policy()))
    headers = {"Content-Disposition": f'attachment; filename="{slug}-annotators.csv"'}
    lines = table_of(annotator_lines(report.people))
    return HttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)
