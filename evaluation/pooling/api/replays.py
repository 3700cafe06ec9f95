"""Replays of ways to choose judgments: asked for, listed and read."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address, or_404
from annotation.kernel.api.refusals import refusals
from evaluation.engine.adaptive.methods import METHODS
from evaluation.models import PoolingReplay
from evaluation.pooling.forms import ReplayForm
from evaluation.pooling.read import replays_of
from evaluation.pooling.steps.replaying import ask_replay
from evaluation.runs.read import runs_of

ReplayEntries = serializer_of_form(
    "ReplayEntries",
    ReplayForm,
    snapshot=serializers.CharField(help_text="The name of a snapshot."),
    runs=serializers.ListField(
        child=serializers.CharField(), required=False, allow_empty=False, help_text="Tags; all runs if left out."
    ),
    methods=serializers.ListField(
        child=serializers.ChoiceField(list(METHODS)), required=False, allow_empty=False, help_text="All if left out."
    ),
)


class ReplayAskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that replays.")
    replays_url = serializers.URLField(help_text="Where the replay is once it is done.")


class ReplayLineSerializer(serializers.Serializer[PoolingReplay]):
    id = serializers.IntegerField()
    snapshot = serializers.CharField(source="snapshot.name")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, stored: PoolingReplay) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_pooling_replay", args=[slug, stored.pk], request=self.context["request"])


class SpentSerializer(serializers.Serializer[dict[str, Any]]):
    """A method after so many judgments: means over draws; null where there is no such figure."""

    pool = serializers.CharField(help_text="With all runs, or with one left out at a time.")
    method = serializers.CharField()
    budget = serializers.FloatField(help_text="Share of the pool that is judged.")
    judged = serializers.IntegerField()
    draws = serializers.IntegerField()
    tau_b = serializers.FloatField(help_text="With the order under all qrels.")
    tau_b_sd = serializers.FloatField(allow_null=True)
    tau_ap = serializers.FloatField()
    tau_ap_sd = serializers.FloatField(allow_null=True)
    error = serializers.FloatField(help_text="Of the means, mean over runs.")
    ap_error = serializers.FloatField(allow_null=True)
    found = serializers.FloatField(help_text="Share of all relevant documents that are judged.")
    moved = serializers.FloatField(allow_null=True, help_text="Places by which the run left out is off.")


class ReplayedSerializer(serializers.Serializer[dict[str, Any]]):
    measure = serializers.CharField()
    rel = serializers.IntegerField()
    depth = serializers.IntegerField()
    n_seeds = serializers.IntegerField()
    n_topics = serializers.IntegerField()
    n_pairs = serializers.IntegerField(help_text="Of the pool.")
    n_unknown = serializers.IntegerField(help_text="Pairs of the runs' tops that the qrels lack.")
    unlisted = serializers.CharField(help_text="What became of these.")
    n_qrels = serializers.IntegerField()
    runs = serializers.ListField(child=serializers.CharField())
    rows = SpentSerializer(many=True)
    words = serializers.ListField(child=serializers.CharField())


class WholeReplaySerializer(ReplayLineSerializer):
    replayed = serializers.SerializerMethodField(help_text="As `manage.py pooling_replay --json` has it.")

    @extend_schema_field(ReplayedSerializer)
    def get_replayed(self, stored: PoolingReplay) -> dict[str, Any]:
        result: dict[str, Any] = stored.result
        return result


class PoolingReplays(Address):
    serializer_class = ReplayLineSerializer

    @extend_schema(responses=ReplayLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Replays of ways to choose judgments, the newest first. For admins and researchers."""
        return self.page_of(replays_of(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=ReplayEntries, responses={202: ReplayAskedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Replay ways to choose judgments on a snapshot that is judged already. In a job.

        The same question on the same files is not replayed twice. For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(ReplayEntries, request.data)
        sent.setdefault("runs", list(runs_of(collection).values_list("tag", flat=True)))
        sent.setdefault("methods", list(METHODS))
        form = checked_form(ReplayForm, sent, collection=collection)
        with refusals(ValueError):
            job = ask_replay(*form.arguments(), created_by=self.person)
        replays_url = reverse("api_pooling_replays", args=[slug], request=request)
        return self.queued({"job_url": job_address(request, job), "replays_url": replays_url})


class OnePoolingReplay(Address):
    serializer_class = WholeReplaySerializer

    @extend_schema(responses=WholeReplaySerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One replay, with all its figures. For admins and researchers."""
        return self.one(or_404(replays_of(collection_for(self.person, slug, RESEARCH)).filter(pk=pk).first(), "replay"))
