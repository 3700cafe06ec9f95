"""Pools: the list, one, one from pairs as they are sent, and deleting one."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.pages.api_pools import PoolSerializer
from annotation.corpus.read.pools import PoolTopic, pool_topics, pools_of
from annotation.corpus.steps.pooling import PoolError, create_pool_from_list, delete_pool
from annotation.formats.problems import FormatError
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, pool_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, conflicts, reasons_of, refused
from annotation.kernel.forms import POOL_NAME_TAKEN, PoolNameForm
from annotation.kernel.taken import TakenError
from annotation.models import Pool


class PoolTopicSerializer(serializers.Serializer[PoolTopic]):
    number = serializers.CharField()
    title = serializers.CharField()
    n_pairs = serializers.IntegerField()


class WholePoolSerializer(PoolSerializer):
    """With how many pairs each topic has."""

    topics = serializers.SerializerMethodField()

    @extend_schema_field(PoolTopicSerializer(many=True))
    def get_topics(self, pool: Pool) -> list[dict[str, Any]]:
        return [dict(PoolTopicSerializer(topic).data) for topic in pool_topics(pool)]


class PairEntrySerializer(serializers.Serializer[None]):
    number = serializers.CharField(max_length=200)
    docno = serializers.CharField(max_length=400)


PoolEntries = serializer_of_form(
    "PoolEntries",
    PoolNameForm,
    pairs=PairEntrySerializer(
        many=True,
        allow_empty=False,
        help_text="In their order: of each topic, the pair that stands first counts as the most promising.",
    ),
)


class Pools(Address):
    serializer_class: type[PoolSerializer] = PoolSerializer

    @extend_schema(responses=PoolSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The pools of a collection, the newest first. For admins and researchers."""
        return self.page_of(pools_of(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=PoolEntries, responses={201: WholePoolSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a pool of these pairs. Many are better brought as a file, by an import. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(PoolEntries, request.data)
        pairs = [(pair["number"], pair["docno"]) for pair in sent.pop("pairs")]
        name = checked_form(PoolNameForm, sent, collection=collection).cleaned_data["name"]
        try:
            pool = create_pool_from_list(collection, name=name, pairs=pairs, created_by=self.person)
        except FormatError as error:
            raise refused({"pairs": reasons_of(error, row="Pair")}) from error
        except TakenError as error:
            raise refused({"name": [POOL_NAME_TAKEN]}) from error
        self.serializer_class = WholePoolSerializer
        return self.one(pool, status.HTTP_201_CREATED)


class OnePool(Address):
    serializer_class = WholePoolSerializer

    @extend_schema(responses=WholePoolSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A pool and how many pairs each topic has in it. For admins and researchers."""
        return self.one(pool_for(self.person, slug, pk))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a pool. 409 while a batch is made from it. For admins."""
        pool = pool_for(self.person, slug, pk, ADMIN)
        with conflicts(PoolError):
            delete_pool(pool, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)
