"""Contested pairs: the queue, one pair from the blind grade to the last word, and what was decided.

As on the pages, nothing of what people said is in an answer before the caller has given their own
grade, or has asked to see it without one, which the decision then says.
"""

from collections.abc import Callable
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import ADMIN, RESEARCH, collection_for, laid_pair_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, NothingToChange, refused
from annotation.models import Collection, Item, User
from annotation.review.api.contested_serializers import (
    BlindSerializer,
    DecisionSerializer,
    DecisionsSerializer,
    PairSerializer,
    ReadPair,
    ReadPairSerializer,
    WaitingSerializer,
    WithdrawalSerializer,
)
from annotation.review.forms.adjudication import QueueForm
from annotation.review.read.adjudication import WaitingPairs, decisions_of, pair_file, pair_state, waiting_for
from annotation.review.steps import adjudication as deeds
from annotation.review.steps.adjudication import AdjudicationError
from annotation.trust.pages.api_choice import CHOICE, choice_in_query
from annotation.trust.read.policies import policies_of
from annotation.trust.read.withheld import judged_batches

NUMBER = OpenApiParameter("number", OpenApiTypes.STR, required=True)
DOCNO = OpenApiParameter("docno", OpenApiTypes.STR, required=True)

QUEUE = [
    *CHOICE,
    OpenApiParameter("posterior", description="A policy with a posterior, as a second opinion."),
    OpenApiParameter("below", OpenApiTypes.FLOAT, description="Unsure below so high a confidence; 0.7."),
    OpenApiParameter("wide", OpenApiTypes.INT, description="Steps that make a range wide; 3."),
    OpenApiParameter("reason", description="`apart`, `no_grade`, `few`, `wide`, `unsure`, `cannot`, `flagged`."),
    OpenApiParameter("topic", description="The number of a topic."),
]


class ContestedPairs(Address):
    serializer_class = WaitingSerializer

    @extend_schema(parameters=QUEUE, responses=WaitingSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The pairs that wait for a decision, in the order of the queue. No grade. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.page_of(_waiting(self.person, request, collection))


class Decisions(Address):
    serializer_class = DecisionsSerializer

    @extend_schema(responses=DecisionsSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Every decision on a pair, the earlier first, those revised since, too. For admins and researchers."""
        return self.page_of(list(decisions_of(collection_for(self.person, slug, RESEARCH))))


class _Pair(Address):
    serializer_class = ReadPairSerializer

    def read(self, item: Item) -> Response:
        state = pair_state(item, self.person, moment=timezone.now())
        return self.one(ReadPair(item, state, pair_file(item) if state.seen else None))


class OnePair(_Pair):
    @extend_schema(parameters=[NUMBER, DOCNO], responses=ReadPairSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A pair to decide on. What people said of it is null until you have graded it blind, or looked. For admins."""
        pair = validated_data(PairSerializer(data=request.query_params.dict()))
        return self.read(laid_pair_for(self.person, slug, **pair))


class _Deed(_Pair):
    def changed(
        self, slug: str, serializer_type: type[PairSerializer], change: Callable[..., object], **who: Any
    ) -> Response:
        answers = dict(validated_data(serializer_type(data=self.request.data)))
        item = laid_pair_for(self.person, slug, answers.pop("number"), answers.pop("docno"))
        try:
            change(item, **answers, **who)
        except AdjudicationError as error:
            raise NothingToChange(str(error)) from error
        return self.read(item)


class PairNext(_Pair):
    @extend_schema(parameters=QUEUE, request=None, responses={200: ReadPairSerializer, 204: None})
    def post(self, request: Request, slug: str) -> Response:
        """Have the first pair of the queue to yourself that nobody else has; 204 where none waits. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        pairs = _waiting(self.person, request, collection).pairs()
        item = deeds.open_next(collection, pairs, reader=self.person, moment=timezone.now())
        return Response(status=204) if item is None else self.read(item)


class PairOpen(_Deed):
    @extend_schema(request=PairSerializer, responses={200: ReadPairSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Have a pair to yourself for half an hour; 409 while somebody else has it. For admins."""
        return self.changed(slug, PairSerializer, deeds.open_pair, reader=self.person, moment=timezone.now())


class PairBlind(_Deed):
    @extend_schema(request=BlindSerializer, responses={200: ReadPairSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Keep your own grade, from before you see anybody's; the answer then has what people said. For admins.

        The pair is yours for half an hour: nobody else decides on it meanwhile. The grade is never changed.
        """
        return self.changed(slug, BlindSerializer, deeds.grade_blind, reader=self.person, moment=timezone.now())


class PairLook(_Deed):
    @extend_schema(request=PairSerializer, responses={200: ReadPairSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """See what people said without a grade of your own; your decision is then marked as not blind. For admins."""
        return self.changed(slug, PairSerializer, deeds.look_at_pair, reader=self.person, moment=timezone.now())


class PairLeave(_Deed):
    @extend_schema(request=PairSerializer, responses=ReadPairSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Give a pair back, for others to decide on. For admins."""
        return self.changed(slug, PairSerializer, deeds.leave_pair, reader=self.person)


class PairDecide(_Deed):
    @extend_schema(request=DecisionSerializer, responses={200: ReadPairSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Decide on a pair, with a reason. 409 before your own grade, and if somebody decided meanwhile. For admins."""
        return self.changed(slug, DecisionSerializer, deeds.decide, actor=self.person, moment=timezone.now())


class PairWithdraw(_Deed):
    @extend_schema(request=WithdrawalSerializer, responses={200: ReadPairSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Take the decision on a pair back, with a reason: it is left to its judgments. For admins."""
        return self.changed(
            slug, WithdrawalSerializer, deeds.withdraw_decision, actor=self.person, moment=timezone.now()
        )


def _waiting(person: User, request: Request, collection: Collection) -> WaitingPairs:
    choice = _choice(request, collection)
    return waiting_for(person, collection, choice, request.query_params, moment=timezone.now())


def _choice(request: Request, collection: Collection) -> QueueForm:
    """404 where nothing is judged; 400 for what the form of the page refuses."""
    choice_of_batches = choice_in_query(request, collection)
    data = QueryDict(mutable=True)
    data.setlist("batch", [batch.token for batch in choice_of_batches.chosen_batches()])
    data["policy"] = str(choice_of_batches.chosen_policy())
    for name in ("posterior", "below", "wide"):
        data[name] = request.query_params.get(name, "")
    choice = QueueForm(data, batches=judged_batches(collection), policies=policies_of(collection))
    if not choice.is_valid():
        raise refused(choice.errors)
    return choice
