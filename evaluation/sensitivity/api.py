"""Studies of sensitivity asked for, listed and read; the shares of two runs."""

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
from evaluation.engine.measures import parse_measure
from evaluation.formats.sensitivity import as_object, shares_object
from evaluation.models import SensitivityStudy
from evaluation.runs.read import runs_of
from evaluation.sensitivity.forms import SensitivityForm, SharesForm
from evaluation.sensitivity.read import shares_of_two, studied_in, studies_of
from evaluation.sensitivity.steps import ask_sensitivity

SensitivityEntries = serializer_of_form(
    "SensitivityEntries",
    SensitivityForm,
    snapshot=serializers.CharField(help_text="The name of a snapshot."),
    runs=serializers.ListField(
        child=serializers.CharField(), required=False, allow_empty=False, help_text="Tags; all runs if left out."
    ),
    beside=serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Names of snapshots that judge the same pairs."
    ),
)
SharesEntries = serializer_of_form(
    "SharesEntries",
    SharesForm,
    snapshot=serializers.CharField(help_text="The name of a snapshot."),
    first=serializers.CharField(help_text="The tag of a run."),
    second=serializers.CharField(help_text="The tag of another."),
)


class SensitivityAskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that studies.")
    studies_url = serializers.URLField(help_text="Where the study is once it is done.")


class StudyLineSerializer(serializers.Serializer[SensitivityStudy]):
    id = serializers.IntegerField()
    snapshot = serializers.CharField(source="snapshot.name")
    measure = serializers.CharField()
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, stored: SensitivityStudy) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_sensitivity_study", args=[slug, stored.pk], request=self.context["request"])


class ShareOfDrawsSerializer(serializers.Serializer[dict[str, Any]]):
    """The share of draws in which the first run beats the second; null where there is none."""

    anew = serializers.ChoiceField(["topics", "judgments", "both"])
    share = serializers.FloatField(allow_null=True)
    error = serializers.FloatField(allow_null=True, help_text="The standard error of the difference.")
    n_draws = serializers.IntegerField(help_text="0: by its formula.")
    refusal = serializers.CharField(help_text="Why there is no share.")


class PairSharesSerializer(serializers.Serializer[dict[str, Any]]):
    first = serializers.CharField()
    second = serializers.CharField()
    difference = serializers.FloatField(help_text="Of the means, first minus second.")
    topics = ShareOfDrawsSerializer()
    judgments = ShareOfDrawsSerializer()
    both = ShareOfDrawsSerializer()
    conclusion = serializers.CharField()


class PairSwapSerializer(serializers.Serializer[dict[str, Any]]):
    ahead = serializers.CharField()
    behind = serializers.CharField()
    difference = serializers.FloatField(help_text="Of their means as they stand.")
    n = serializers.IntegerField(help_text="Cases in which they change places.")
    cases = serializers.ListField(child=serializers.CharField(), help_text="The first of them, where they have names.")


class OrderUnderSerializer(serializers.Serializer[dict[str, Any]]):
    """A kind of change: columns have an entry a case."""

    kind = serializers.CharField()
    cases = serializers.ListField(child=serializers.CharField(), help_text="Empty where cases are drawn.")
    tau_b = serializers.ListField(child=serializers.FloatField(allow_null=True))
    tau_ap = serializers.ListField(child=serializers.FloatField(allow_null=True))
    n_swaps = serializers.ListField(child=serializers.IntegerField(), help_text="Pairs of runs that change places.")
    swaps = PairSwapSerializer(many=True, help_text="The most often first.")
    refusal = serializers.CharField(help_text="Why there is no case.")
    n_cases = serializers.IntegerField()
    n_held = serializers.IntegerField(help_text="Cases in which no two runs change places.")
    conclusion = serializers.CharField()


class JudgeOrderSerializer(serializers.Serializer[dict[str, Any]]):
    """The runs under another judge; `mean` and `rank` in the order of `tags`."""

    judge = serializers.CharField()
    mean = serializers.ListField(child=serializers.FloatField())
    rank = serializers.ListField(child=serializers.IntegerField(), help_text="Equal means share the best.")
    tau_b = serializers.FloatField(allow_null=True)
    tau_ap = serializers.FloatField(allow_null=True)
    swaps = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Two runs that change places each, whoever stood ahead first.",
    )


class StudiedSerializer(serializers.Serializer[dict[str, Any]]):
    measure = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField(), help_text="The best first.")
    mean = serializers.ListField(child=serializers.FloatField())
    rank = serializers.ListField(child=serializers.IntegerField(), help_text="Equal means share the best.")
    n_topics = serializers.IntegerField()
    n_judged = serializers.IntegerField()
    pool_depth = serializers.IntegerField()
    judgments_anew = serializers.ChoiceField(["annotators", "posterior"])
    n_draws = serializers.IntegerField()
    seed = serializers.IntegerField()
    policy = serializers.CharField(help_text="Of the judgments, as JSON; empty for qrels without judgments.")
    changes = OrderUnderSerializer(many=True)
    shares = PairSharesSerializer(many=True, help_text="Of neighbours in the order.")
    judges = JudgeOrderSerializer(many=True, help_text="Machine judges, and other qrels of the same pairs.")
    conclusion = serializers.ListField(child=serializers.CharField())


class WholeStudySerializer(StudyLineSerializer):
    studied = serializers.SerializerMethodField(help_text="As `manage.py sensitivity --json` has it.")

    @extend_schema_field(StudiedSerializer)
    def get_studied(self, stored: SensitivityStudy) -> dict[str, Any]:
        return as_object(studied_in(stored))


class SensitivityStudies(Address):
    serializer_class = StudyLineSerializer

    @extend_schema(responses=StudyLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What was studied of how sure the order of runs is, the newest first. For admins and researchers."""
        return self.page_of(studies_of(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=SensitivityEntries, responses={202: SensitivityAskedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Study how sure the order of runs is: which changes it survives, and shares of draws. In a job.

        The same question on the same files is not studied twice. For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(SensitivityEntries, request.data)
        sent.setdefault("runs", list(runs_of(collection).values_list("tag", flat=True)))
        form = checked_form(SensitivityForm, sent, collection=collection)
        with refusals(ValueError):
            job = ask_sensitivity(**form.arguments(), created_by=self.person)
        studies_url = reverse("api_sensitivity", args=[slug], request=request)
        return self.queued({"job_url": job_address(request, job), "studies_url": studies_url})


class OneSensitivityStudy(Address):
    serializer_class = WholeStudySerializer

    @extend_schema(responses=WholeStudySerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One study, with all its numbers and sentences. For admins and researchers."""
        return self.one(or_404(studies_of(collection_for(self.person, slug, RESEARCH)).filter(pk=pk).first(), "study"))


class SensitivityShares(Address):
    serializer_class = SharesEntries

    @extend_schema(parameters=[SharesEntries], responses=PairSharesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The shares of draws of topics, of judgments and of both in which one run beats another.

        Where many annotators have judged much, a study of these two runs alone has to be there; without, refused.
        For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        form = checked_form(SharesForm, sent_entries(SharesEntries, request.query_params.dict()), collection=collection)
        asked = form.cleaned_data
        runs = asked["first"], asked["second"]
        with refusals(ValueError):
            pair = shares_of_two(asked["snapshot"], runs, parse_measure(asked["measure"]), seed=asked["seed"])
        return Response(shares_object(pair))
