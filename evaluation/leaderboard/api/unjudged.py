"""A pool of what a run has at its tops and a snapshot does not judge."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.pages.api_pools import PoolSerializer
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, or_404
from annotation.kernel.api.refusals import reasons_of, refused
from annotation.kernel.forms import POOL_NAME_TAKEN
from annotation.kernel.taken import TakenError
from evaluation.engine.packed import PackedError
from evaluation.leaderboard.forms import UnjudgedForm
from evaluation.leaderboard.read.evaluations import evaluations_of
from evaluation.leaderboard.steps.evaluating import create_pool_of_unjudged

UnjudgedEntries = serializer_of_form("UnjudgedEntries", UnjudgedForm)


class EvaluationPool(Address):
    serializer_class: type[serializers.Serializer[Any]] = PoolSerializer

    @extend_schema(request=UnjudgedEntries, responses={201: PoolSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Make a pool of what the run has within the depth and the snapshot does not judge.

        For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        evaluation = or_404(evaluations_of(collection).filter(pk=pk).first(), "evaluation")
        fields = checked_form(
            UnjudgedForm, sent_entries(UnjudgedEntries, request.data), collection=collection
        ).cleaned_data
        try:
            pool = create_pool_of_unjudged(evaluation, **fields, created_by=self.person)
        except FormatError as error:
            raise refused({"depth": reasons_of(error, row="Pair")}) from error
        except PackedError as error:
            raise refused({"non_field_errors": [str(error)]}) from error
        except TakenError as error:
            raise refused({"name": [POOL_NAME_TAKEN]}) from error
        return self.one(pool, status.HTTP_201_CREATED)
