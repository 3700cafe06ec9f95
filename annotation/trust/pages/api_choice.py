"""Which batches to read under which policy, as the address says: judged by the form of the page."""

from django.http import Http404, QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from annotation.kernel.api.refusals import refused
from annotation.models import Collection
from annotation.trust.pages.choice import ChoiceOfBatches
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches

BATCH = OpenApiParameter(
    "batch", description="Tokens of batches, repeated; all that are judged if left out.", many=True
)
CHOICE = [BATCH, OpenApiParameter("policy", description="`name vN`; the default policy if left out.")]


def choice_in_query(request: Request, collection: Collection) -> ChoiceOfBatches:
    """404 where nothing is judged; 400 for a batch or policy that is not here."""
    batches, policies = judged_batches(collection), policies_of(collection)
    if not batches:
        raise Http404("Nothing has been judged here.")
    asked = request.query_params
    blank = ChoiceOfBatches(batches=batches, policies=policies)
    data = QueryDict(mutable=True)
    data.setlist("batch", asked.getlist("batch") or list(blank.batches))
    data["policy"] = asked.get("policy") or str(blank.chosen_policy())
    choice = ChoiceOfBatches(data, batches=batches, policies=policies)
    if not choice.is_valid():
        raise refused(choice.errors)
    return choice


def quality_in_query(request: Request, collection: Collection) -> tuple[ChoiceOfBatches, QualityReport]:
    """As `choice_in_query`, with what comes of the choice; 400 for batches that cannot be read together."""
    choice = choice_in_query(request, collection)
    report = choice.report(lambda batches: quality_report(collection, batches, choice.parameters()))
    if report is None:
        raise refused(choice.errors)
    return choice, report
