"""What to judge next: the pairs that would tell most, and a pool of them."""

from typing import Any

from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.corpus.pages.api_pools import PoolSerializer
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.parameters import ParametersSerializer
from annotation.kernel.api.refusals import reasons_of, refusals, refused
from annotation.kernel.api.typed import serializer_of_type
from annotation.kernel.forms import POOL_NAME_TAKEN
from annotation.kernel.taken import TakenError
from evaluation.engine.judge_next import BEST, DEPTH, MOST_RUNS, PAIRS, NextPair
from evaluation.engine.packed import PackedError
from evaluation.formats.judge_next import as_facts
from evaluation.pooling.forms import MEASURE, MOST_DEPTH, MOST_PAIRS, NextForm, PoolOfNextForm
from evaluation.pooling.steps.next_pairs import ask_next, create_pool_of_next, next_pairs


class NextQuerySerializer(ParametersSerializer):
    """Two runs to separate, or none: then the best of all are to be put in order."""

    snapshot = serializers.CharField(help_text="The name of a snapshot.")
    measure = serializers.CharField(max_length=100, default=MEASURE)
    run = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Two tags, repeated; none for the best of all runs."
    )
    best = serializers.IntegerField(min_value=2, max_value=MOST_RUNS, default=BEST)
    depth = serializers.IntegerField(min_value=1, max_value=MOST_DEPTH, default=DEPTH)
    pairs = serializers.IntegerField(min_value=1, max_value=MOST_PAIRS, default=PAIRS)


class NextPoolSerializer(NextQuerySerializer):
    """The same, and what the pool is called."""

    name = serializers.CharField(max_length=100)


class RunMeanSerializer(serializers.Serializer[None]):
    run = serializers.CharField()
    mean = serializers.FloatField()


class NextPairsSerializer(serializers.Serializer[None]):
    """The unjudged pairs that would tell most, and how the runs stand to each other without them."""

    runs = RunMeanSerializer(many=True, help_text="Two as they were named; of several the best first.")
    measure = serializers.CharField()
    doubts = serializers.ListField(
        child=serializers.FloatField(), help_text="Of each two runs, in their order: how probable the wrong order is."
    )
    depth = serializers.IntegerField()
    top = serializers.IntegerField(help_text="The highest grade a pair may have.")
    n_topics = serializers.IntegerField()
    n_unjudged = serializers.IntegerField(help_text="Pairs within the depth.")
    pairs = serializer_of_type(NextPair)(many=True, help_text="Those that change most first.")
    words = serializers.ListField(child=serializers.CharField())


class NextAskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that ranks.")
    next_url = serializers.URLField(help_text="Where the pairs are once it is done.")


class PoolingNext(Address):
    serializer_class: type[serializers.Serializer[Any]] = PoolSerializer

    @extend_schema(parameters=[NextQuerySerializer], responses=NextPairsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The unjudged pairs that would tell most, as `manage.py judge_next --json` has them.

        For admins and researchers. What takes longer than half a second is ranked in a job first, and is here once that
        is done.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = NextQuerySerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        form = checked_form(NextForm, _as_in_form(serializer.validated_data), collection=collection)
        with refusals(PackedError, ValueError):
            ranking = next_pairs(form.asked())
        return Response(as_facts(ranking))

    @extend_schema(request=NextPoolSerializer, responses={201: PoolSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a pool of these pairs. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(NextPoolSerializer, request.data)
        form = checked_form(PoolOfNextForm, _as_in_form(sent), collection=collection)
        try:
            pool = create_pool_of_next(form.asked(), name=form.cleaned_data["name"], created_by=self.person)
        except FormatError as error:
            raise refused({"pairs": reasons_of(error, row="Pair")}) from error
        except (PackedError, ValueError) as reason:
            raise refused({"non_field_errors": [str(reason)]}) from reason
        except TakenError as error:
            raise refused({"name": [POOL_NAME_TAKEN]}) from error
        return self.one(pool, status.HTTP_201_CREATED)


class PoolingNextRanking(Address):
    serializer_class = NextAskedSerializer

    @extend_schema(request=NextQuerySerializer, responses={202: NextAskedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Rank the unjudged pairs in a job; what was ranked before is not ranked anew. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(NextQuerySerializer, request.data)
        form = checked_form(NextForm, _as_in_form(sent), collection=collection)
        asked = form.asked()
        if len(asked["runs"]) < 2:
            raise refused({"non_field_errors": ["Two runs or more are needed."]})
        job = ask_next(asked, created_by=self.person)
        address = reverse("api_pooling_next", args=[slug], request=request)
        query = urlencode(sent, doseq=True)
        return self.queued({"job_url": job_address(request, job), "next_url": f"{address}?{query}"})


def _as_in_form(sent: dict[str, Any]) -> dict[str, Any]:
    """Two tags, or none, where the form has two fields."""
    tags = sent.get("run") or ["", ""]
    if len(tags) != 2:
        raise refused({"run": [f"Two runs are separated, or none are named; these are {len(tags)}."]})
    return {**sent, "first": tags[0], "second": tags[1]}
