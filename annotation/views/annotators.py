"""One annotator: how far to believe them, and why."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from annotation.access import ADMIN, RESEARCH, annotator_for, roles_in
from annotation.formats.rows import rows_csv
from annotation.queries.policies import parameters_of
from annotation.queries.quality import (
    PERSON_TABLES,
    annotator_report,
    machine_report,
    person_lines,
)
from annotation.queries.quality.held_people import history_of
from annotation.views.choice import choice_of, judged_choice
from annotation.views.files import csv_file
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
        history=history_of(person) if roles_in(request.user, person.collection) & ADMIN else [],
    )


@login_required
@require_GET
def annotator_csv(request: Request, slug: str, pseudonym: str, table: str) -> HttpResponse:
    """A table of one person's page, under the batches and the policy that the address names."""
    person = annotator_for(request.user, slug, pseudonym, RESEARCH)
    if table not in PERSON_TABLES:
        raise Http404("There is no such table.")
    choice = judged_choice(request, person.collection)
    asked = (person, choice.chosen_batches(), parameters_of(choice.chosen_policy()))
    report = None if person.is_machine else annotator_report(*asked)
    if report is None:
        raise Http404("There is nothing to look at of this annotator here.")
    return csv_file(f"{slug}-{pseudonym}-{table}", rows_csv(*person_lines(table, report)))
