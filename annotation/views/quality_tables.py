"""The tables of the quality page, and of the pages about pausing and replacements, to take away."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from annotation.access import RESEARCH, collection_for
from annotation.formats.annotators import AnnotatorLine
from annotation.formats.rows import rows_csv
from annotation.models import Collection
from annotation.queries.policies import parameters_of
from annotation.queries.quality import (
    QUALITY_TABLES,
    STANDING_TABLES,
    QualityReport,
    annotator_lines,
    quality_lines,
    quality_report,
    standing_lines,
    withheld_lines,
    withheld_pairs,
)
from annotation.views.choice import judged_choice
from annotation.views.files import csv_file
from annotation.views.request import Request

WITHHELD = "withheld"


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
        pairs = withheld_pairs(collection, judged_choice(request, collection).chosen_batches())
        return csv_file(f"{slug}-{table}", rows_csv(*withheld_lines(pairs)))
    if table not in QUALITY_TABLES:
        raise Http404("There is no such table.")
    return csv_file(f"{slug}-{table}", rows_csv(*quality_lines(table, _report(request, collection))))


def _report(request: Request, collection: Collection) -> QualityReport:
    choice = judged_choice(request, collection)
    return quality_report(collection, choice.chosen_batches(), parameters_of(choice.chosen_policy()))
