"""Interleaved lists by programs: drawn, credited, and how many impressions they need."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, known_by
from annotation.kernel.api.refusals import refused
from annotation.kernel.files import Outgoing, download
from evaluation.beyond.api.asking import AskedDescriptionSerializer, Asking, bodies, sent_entry, text_entry
from evaluation.beyond.forms.interleaving import ClicksForm, ListsForm, PowerForm
from evaluation.engine.interleaving.lists import MOST_RANKERS
from evaluation.formats.interleaving import lists_jsonl

ClickEntries = serializer_of_form(
    "InterleavingEntries",
    ClicksForm,
    lists=sent_entry("As `interleaved-lists` or `interleave` draws them."),
    log=sent_entry("A row a click: number, list, position or docno."),
)
PowerEntries = serializer_of_form(
    "InterleavingPowerEntries",
    PowerForm,
    snapshot=serializers.CharField(help_text="By name."),
    first=text_entry("The tag of a run."),
    second=text_entry("The tag of a run."),
)
ListsEntries = serializer_of_form(
    "InterleavedListsEntries",
    ListsForm,
    runs=serializers.ListField(child=serializers.CharField(), help_text=f"Tags, 2 to {MOST_RANKERS}."),
)


class Interleaving(Asking):
    form, entries = ClicksForm, ClickEntries

    @extend_schema(request=bodies(ClickEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Credit clicks on interleaved lists to their rankers: wins, ties apart, and a test over topics.

        Both files as parts of the form. In a job. For admins and researchers.
        """
        return self.ask(request, slug)


class InterleavingPower(Asking):
    form, entries = PowerForm, PowerEntries

    @extend_schema(request=bodies(PowerEntries), responses={202: AskedDescriptionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """How many impressions show which of two runs users prefer, beside an A/B test, by simulated clicks.

        In a job. For admins and researchers.
        """
        return self.ask(request, slug)


class InterleavedLists(Address):
    @extend_schema(parameters=[ListsEntries], responses={(200, "application/jsonl"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Interleaved lists of runs of the collection as JSONL, each rebuilt from seed, topic and its number.

        For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        sent = {**request.query_params.dict(), "runs": request.query_params.getlist("runs")}
        form = checked_form(ListsForm, sent_entries(ListsEntries, sent), collection=collection)

        def lists() -> HttpResponseBase:
            try:
                pieces = lists_jsonl(form.drawn())
            except ValueError as reason:
                raise refused({"runs": [str(reason)]}) from reason
            return download(Outgoing(f"{slug}-lists.jsonl", "application/jsonl", pieces))

        return known_by(request, f'W/"{form.key}"', lists)
