"""Lists, alarms and drift, to be described."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.api.form_entries import serializer_of_form
from evaluation.beyond.api.asking import AskedDescriptionSerializer, Asking, bodies, sent_entry, text_entry
from evaluation.beyond.forms.alarms import AlarmsForm
from evaluation.beyond.forms.drift import DriftForm
from evaluation.beyond.forms.recommendations import RecommendationsForm

RUN = "The tag of a run of the collection."
VECTORS = "Stored vectors: `documents/MODEL` or `queries/MODEL`."

RecommendationEntries = serializer_of_form(
    "RecommendationEntries",
    RecommendationsForm,
    run=text_entry(RUN),
    run_file=sent_entry("A run, in place of one of the collection."),
    items=sent_entry("item, popularity, category."),
    vectors=text_entry("Of the items: `documents/MODEL`."),
    snapshot=text_entry("By name: what people wanted, for the hit rate."),
    truth=sent_entry("The same as qrels."),
    history=sent_entry("person, item: what they knew, for serendipity."),
    asked_file=sent_entry("Who was asked, how often; alone, with a column of results, a query log."),
)
AlarmEntries = serializer_of_form(
    "AlarmEntries",
    AlarmsForm,
    scores=sent_entry("score, positive; time and event as wanted."),
    run=text_entry(RUN),
    vectors=text_entry(VECTORS),
    anomalies=sent_entry("item, positive: of a run or of vectors."),
)
DriftEntries = serializer_of_form(
    "DriftEntries",
    DriftForm,
    reference=text_entry(f"{VECTORS} Or the scores of a run: `run/TAG`."),
    reference_file=sent_entry("A table of scores, in place of it."),
    window=text_entry("As `reference`, of later."),
    window_file=sent_entry("A table of scores, in place of it."),
)


class Recommendations(Asking):
    form, entries = RecommendationsForm, RecommendationEntries

    @extend_schema(request=bodies(RecommendationEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Describe lists of items, or a query log, beyond their order: coverage, exposure, novelty, zero results.

        Files as parts of the form, or runs, vectors and snapshots of the collection by name. In a job; the same
        question on the same files is not computed twice. For admins and researchers.
        """
        return self.ask(request, slug)


class Alarms(Asking):
    form, entries = AlarmsForm, AlarmEntries

    @extend_schema(request=bodies(AlarmEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Evaluate an anomaly detector's alarms: detection, areas, cost, time to detection.

        From a file of scores, a run or vectors. In a job. For admins and researchers.
        """
        return self.ask(request, slug)


class Drift(Asking):
    form, entries = DriftForm, DriftEntries

    @extend_schema(request=bodies(DriftEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Say whether a window of vectors or scores has drifted from a reference.

        In a job. For admins and researchers.
        """
        return self.ask(request, slug)
