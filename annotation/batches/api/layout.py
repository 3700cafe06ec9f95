"""What laying a draft out would give, and laying it out in a job."""

from dataclasses import dataclass, fields
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.pages.counting import Counting
from annotation.batches.pages.overlap import overlap_after
from annotation.batches.read.overlap import OverlapForecast
from annotation.batches.steps.layout import DryRun, LayoutError, rehearsed, start_layout, start_rehearsal
from annotation.batches.steps.layout.forecast import PersonForecast
from annotation.kernel.access import batch_for
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.refusals import NOTHING, NothingToChange, conflicts
from annotation.models import Batch

COUNTS: dict[str, Any] = {each.name: serializers.IntegerField() for each in fields(DryRun) if each.type is int}


class PersonForecastSerializer(serializers.Serializer[PersonForecast]):
    annotator = serializers.CharField(source="pseudonym")
    n_judgments = serializers.FloatField(help_text="To be expected, if everybody does an equal part.")
    n_gold = serializers.IntegerField(help_text="To be expected on average.")
    n_gold_low = serializers.IntegerField(help_text="Its 5th percentile: coins decide at which cards gold comes.")
    n_gold_bound = serializers.IntegerField(help_text="What there is for them, if they take every block.")
    n_gold_before = serializers.IntegerField(help_text="Judged in other batches.")
    short = serializers.CharField(help_text="Why ten gold judgments are out of reach; empty where they are not.")
    gets_cards = serializers.BooleanField()


class OverlapForecastSerializer(serializers.Serializer[OverlapForecast]):
    policy = serializers.CharField()
    n_pairs = serializers.IntegerField()
    n_judgments = serializers.IntegerField(help_text="Of ordinary pairs, as they are laid out.")
    n_further = serializers.IntegerField(source="further", help_text="Judgments that may come on top, at most.")
    further_hours = serializers.FloatField()
    n_gold_ready = serializers.IntegerField(help_text="Gold pairs to be expected to get as many judgments as all.")
    enough_gold = serializers.IntegerField(source="enough")
    too_few_people = serializers.BooleanField()
    too_little_gold = serializers.BooleanField()


class CountingSerializer(serializers.Serializer[Counting]):
    policy = serializers.CharField(help_text="The default policy as it is now.")
    min_gold = serializers.IntegerField(help_text="Judgments on gold that it asks of everybody.")
    counts_unproven = serializers.BooleanField(help_text="Whether it counts people with fewer, too.")
    n_people = serializers.IntegerField(help_text="Who get cards.")
    n_reach = serializers.IntegerField(help_text="Of these, who can expect as many judgments on gold.")
    verdict = serializers.CharField()
    why = serializers.CharField()


class PlanSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that plans the draft; read the dry run once it is done.")


@dataclass(frozen=True)
class Rehearsal:
    """A dry run with what of it will count, and what a policy might ask for on top."""

    result: DryRun
    counting: Counting
    overlap: OverlapForecast | None


CountsSerializer: type[serializers.Serializer[DryRun]] = type(
    "LayoutCountsSerializer",
    (serializers.Serializer,),
    {
        **COUNTS,
        "seconds": serializers.FloatField(help_text="For a judgment."),
        "seconds_known": serializers.BooleanField(help_text="Measured in this collection; else assumed."),
        "hours": serializers.FloatField(read_only=True),
        "__doc__": "What is laid out, and the judgments to be expected of those who get cards now.",
    },
)


class RehearsalSerializer(serializers.Serializer[Rehearsal]):
    """What laying the draft out would give; `refusals` forbid it."""

    counting = CountingSerializer(help_text="What will count under the default policy.")
    counts = CountsSerializer(source="result")
    people = PersonForecastSerializer(source="result.people", many=True)
    warnings = serializers.ListField(source="result.warnings", child=serializers.CharField())
    refusals = serializers.ListField(source="result.errors", child=serializers.CharField())
    overlap = OverlapForecastSerializer(allow_null=True, help_text="null where no policy asks for more judgments.")


class LayoutSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that lays the batch out; its error says why it could not.")


class BatchDryRun(Address):
    serializer_class = RehearsalSerializer

    @extend_schema(responses={200: RehearsalSerializer, 409: NOTHING})
    def get(self, request: Request, slug: str, token: str) -> Response:
        """What laying a draft out would give; 409 where it is laid out already. For admins.

        A draft of more than 10,000 pairs is planned in a job, asked for by POST: 409 until it is done, and again once
        draft, gold, people or texts have changed.
        """
        batch = batch_for(self.person, slug, token)
        if batch.state != Batch.State.DRAFT:
            raise NothingToChange("This batch has been laid out already.")
        result = rehearsed(batch)
        if result is None:
            raise NothingToChange("So large a draft is planned in a job: ask for it by POST, and read this again then.")
        return self.one(Rehearsal(result, Counting.of(batch, result), overlap_after(batch, result)))

    @extend_schema(request=None, responses={202: PlanSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Plan a draft in a job; its dry run can be read then. While that is under way, the same job. For admins."""
        with conflicts(LayoutError):
            job = start_rehearsal(batch_for(self.person, slug, token), created_by=self.person)
        return self.queued({"job_url": job_address(request, job)})


class BatchLayOut(Address):
    serializer_class = LayoutSerializer

    @extend_schema(request=None, responses={202: LayoutSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Lay a draft out, in a job. While that is under way, the same job is answered. For admins."""
        with conflicts(LayoutError):
            job = start_layout(batch_for(self.person, slug, token), created_by=self.person)
        return self.queued({"job_url": job_address(request, job)})
