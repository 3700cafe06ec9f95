"""The tables of the quality page, and of the pages about pausing and replacements, to take away."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.files import csv_stream
from annotation.kernel.request import Request
from annotation.kernel.tables import csv_lines
from annotation.models import Collection
from annotation.trust.pages.choice import judged_choice
from annotation.trust.pages.pausing_tables import PAUSING_TABLES
from annotation.trust.pages.people_columns import ANNOTATORS
from annotation.trust.pages.quality_tables import QUALITY_TABLES, WITHHELD
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.read.withheld import withheld_pairs


@login_required
@require_GET
def annotators_csv(request: Request, slug: str) -> StreamingHttpResponse:
    report = _report(request, collection_for(request.user, slug, RESEARCH))
    return csv_stream(f"{slug}-annotators", ANNOTATORS.lines(report.people))


@login_required
@require_GET
def quality_csv(request: Request, slug: str, table: str) -> StreamingHttpResponse:
    """Under the batches and the policy that the address names, as the quality page has them. Who gets no cards and what
    is missing is of the whole collection."""
    collection = collection_for(request.user, slug, RESEARCH)
    if table in PAUSING_TABLES:
        return csv_stream(f"{slug}-{table}", PAUSING_TABLES[table].lines(collection))
    if table == "withheld":
        pairs = withheld_pairs(collection, judged_choice(request, collection).chosen_batches())
        return csv_stream(f"{slug}-{table}", csv_lines(WITHHELD, pairs))
    if table not in QUALITY_TABLES:
        raise Http404("There is no such table.")
    return csv_stream(f"{slug}-{table}", QUALITY_TABLES[table].lines(_report(request, collection)))


def _report(request: Request, collection: Collection) -> QualityReport:
    choice = judged_choice(request, collection)
    return quality_report(collection, choice.chosen_batches(), choice.parameters())
