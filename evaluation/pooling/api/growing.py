"""Pools that grow: a new one, the next pairs, the next portion, and the sample that it is."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.pages.api_pools import PoolSerializer
from annotation.corpus.read.texts import topics_with_text
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for, pool_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, conflicts, reasons_of, refused
from annotation.models import Pool, Snapshot
from evaluation.engine.packed import PackedError
from evaluation.pooling.forms import GrowingForm
from evaluation.pooling.read import GrowingError, PoolProgress, next_portion, progress_of, sample_rows
from evaluation.pooling.steps.growing import grow, start_growing

GrowingEntries = serializer_of_form(
    "GrowingEntries",
    GrowingForm,
    runs=serializers.ListField(child=serializers.CharField(), allow_empty=False, help_text="Tags."),
)


class NextPortionSerializer(serializers.Serializer[PoolProgress]):
    """Of a growing pool: how far it is, and what would come next."""

    series = serializers.CharField(help_text="What the pool is called as a whole.")
    method = serializers.CharField()
    n_portions = serializers.IntegerField()
    n_pool = serializers.IntegerField(help_text="Pairs of the whole pool.")
    n_chosen = serializers.IntegerField(help_text="Pairs of its portions.")
    n_judged = serializers.IntegerField()
    is_sample = serializers.BooleanField(help_text="Whether it feeds statAP, xinfAP and infNDCG.")
    pairs = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Number and docno, the next portion."
    )


class SampleSerializer(serializers.Serializer[None]):
    """The whole pool as a stratified sample."""

    missing = serializers.IntegerField(help_text="Pairs of the sample that the snapshot does not judge.")
    rows = serializers.ListField(
        child=serializers.ListField(), help_text="Number, docno, stratum, and grade: −1 outside the sample."
    )


class GrowingPools(Address):
    serializer_class = PoolSerializer

    @extend_schema(request=GrowingEntries, responses={201: PoolSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a pool that grows: its first portion, over all topics with a text. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        numbers = list(topics_with_text(collection).values_list("number", flat=True))
        sent = sent_entries(GrowingEntries, request.data)
        form = checked_form(GrowingForm, sent, collection=collection, numbers=numbers)
        try:
            pool = start_growing(collection, form.growth(), created_by=self.person)
        except FormatError as error:
            raise refused({"runs": reasons_of(error, row="Pair")}) from error
        except (GrowingError, PackedError, ValueError) as reason:
            raise refused({"non_field_errors": [str(reason)]}) from reason
        return self.one(pool, status.HTTP_201_CREATED)


class Portion(Address):
    serializer_class: type[serializers.Serializer[Any]] = PoolSerializer

    @extend_schema(responses={200: NextPortionSerializer, 409: NOTHING})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How far a growing pool is, and the pairs that would come next. For admins and researchers."""
        pool = pool_for(self.person, slug, pk)
        with conflicts(GrowingError, PackedError, ValueError):
            progress = progress_of(pool)
            pairs = next_portion(pool.collection, progress)
        growth = progress.growth
        return Response(
            {
                "series": growth.series,
                "method": growth.method,
                "n_portions": len(progress.portions),
                "n_pool": growth.n_pool,
                "n_chosen": len(progress.chosen),
                "n_judged": len(progress.judged),
                "is_sample": growth.way.is_sample,
                "pairs": [list(pair) for pair in pairs],
            }
        )

    @extend_schema(request=None, responses={201: PoolSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Make the next portion of a growing pool. 409 where nothing is left. For admins and researchers."""
        pool = pool_for(self.person, slug, pk)
        with conflicts(GrowingError, FormatError, PackedError, ValueError):
            portion: Pool = grow(pool, created_by=self.person)
        return self.one(portion, status.HTTP_201_CREATED)


class PoolSample(Address):
    serializer_class = SampleSerializer

    @extend_schema(
        parameters=[OpenApiParameter("snapshot", OpenApiTypes.STR, required=True, description="Its name.")],
        responses={200: SampleSerializer, 409: NOTHING},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A growing pool as a stratified sample with the grades of a snapshot.

        409 for a pool that is no random sample: a bandit's judgments feed no sampled measure. For admins and
        researchers.
        """
        pool = pool_for(self.person, slug, pk)
        snapshot = Snapshot.objects.filter(
            collection=pool.collection, name=request.query_params.get("snapshot", "")
        ).first()
        if snapshot is None:
            raise refused({"snapshot": ["The collection has no snapshot of this name."]})
        with conflicts(GrowingError, PackedError, ValueError):
            rows, missing = sample_rows(pool, snapshot)
        return Response({"missing": missing, "rows": [list(row) for row in rows]})
