"""One annotator: how far to believe them, and why; the tables of the quality page to take away."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from annotation.access import ADMIN, RESEARCH, annotator_for, collection_for, roles_in
from annotation.formats.annotators import AnnotatorLine
from annotation.formats.rows import rows_csv
from annotation.forms.quality import ChoiceOfBatches
from annotation.models import Collection
from annotation.queries.policies import parameters_of
from annotation.queries.quality import (
    PERSON_TABLES,
    QUALITY_TABLES,
    STANDING_TABLES,
    QualityReport,
    annotator_lines,
    annotator_report,
    machine_report,
    person_lines,
    quality_lines,
    quality_report,
    standing_lines,
    withheld_lines,
    withheld_pairs,
)
from annotation.queries.quality.held_people import history_of
from annotation.views.choice import choice_of
from annotation.views.files import csv_file
from annotation.views.page import render_page
from annotation.views.request import Request

WITHHELD = "withheld"


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
    choice = _choice(request, person.collection)
    asked = (person, choice.chosen_batches(), parameters_of(choice.chosen_policy()))
    report = None if person.is_machine else annotator_report(*asked)
    if report is None:
        raise Http404("There is nothing to look at of this annotator here.")
    return csv_file(f"{slug}-{pseudonym}-{table}", rows_csv(*person_lines(table, report)))


@login_required
@require_GET
def annotators_csv(request: Request, slug: str) -> HttpResponse:
    report = _report(request, collection_for(request.user, slug, RESEARCH))
    return csv_file(f"{slug}-annotators", rows_csv(AnnotatorLine, annotator_lines(report.people)))


@login_required
@require_GET
def quality_csv(request: Request, slug: str, table: str) -> HttpResponse:
    """Under the batches and the policy that the address names, as the quality page has them. Who gets no cards and what
    is missing is of the whole collection."""
    collection = collection_for(request.user, slug, RESEARCH)
    if table in STANDING_TABLES:
        return csv_file(f"{slug}-{table}", rows_csv(*standing_lines(table, collection)))
    if table == WITHHELD:
        pairs = withheld_pairs(collection, _choice(request, collection).chosen_batches())
        return csv_file(f"{slug}-{table}", rows_csv(*withheld_lines(pairs)))
    if table not in QUALITY_TABLES:
        raise Http404("There is no such table.")
    return csv_file(f"{slug}-{table}", rows_csv(*quality_lines(table, _report(request, collection))))


def _report(request: Request, collection: Collection) -> QualityReport:
    choice = _choice(request, collection)
    return quality_report(collection, choice.chosen_batches(), parameters_of(choice.chosen_policy()))


def _choice(request: Request, collection: Collection) -> ChoiceOfBatches:
    choice = choice_of(request, collection)
    if not choice.batches:
        raise Http404("Nothing has been judged here.")
    return choice
