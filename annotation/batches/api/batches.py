"""Batches: the list, drafting one; one of them, changing or deleting its draft."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.api.batch_serializers import BatchSerializer, Progress, ProgressSerializer
from annotation.batches.api.drafts import ChangedBatchSerializer, NewBatchSerializer, change, draft
from annotation.batches.read.batches import batch_row, batch_rows, person_progress, topic_progress
from annotation.batches.steps.batches import BatchError
from annotation.batches.steps.deletion import REQUEST, delete_batch
from annotation.kernel.access import ADMIN, RESEARCH, batch_for, collection_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, conflicts
from annotation.models import Batch


class Batches(Address):
    serializer_class = BatchSerializer

    @extend_schema(responses=BatchSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The batches of a collection with their progress, the newest first. For admins and researchers."""
        return self.page_of(batch_rows(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=NewBatchSerializer, responses={201: ProgressSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draft a batch: nothing is laid out, nobody sees it yet. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        batch = draft(collection, validated_data(NewBatchSerializer(data=request.data)), actor=self.person)
        return _whole(self, batch_for(self.person, slug, batch.token), status.HTTP_201_CREATED)


class OneBatch(Address):
    serializer_class = ProgressSerializer

    @extend_schema(responses=ProgressSerializer)
    def get(self, request: Request, slug: str, token: str) -> Response:
        """A batch with its progress topic by topic and, for admins, person by person."""
        return _whole(self, batch_for(self.person, slug, token, RESEARCH))

    @extend_schema(request=ChangedBatchSerializer, responses={200: ProgressSerializer, 409: NOTHING})
    def patch(self, request: Request, slug: str, token: str) -> Response:
        """Change a draft; 409 once it is laid out. For admins."""
        batch = batch_for(self.person, slug, token)
        with conflicts(BatchError):
            change(batch, validated_data(ChangedBatchSerializer(data=request.data)), actor=self.person)
        return _whole(self, batch_for(self.person, slug, token))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, token: str) -> Response:
        """Delete a draft, or a layout that nobody has met. For admins."""
        with conflicts(BatchError):
            delete_batch(batch_for(self.person, slug, token), actor=self.person, within=REQUEST)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _whole(address: Address, batch: Batch, status: int = 200) -> Response:
    numbers = list(batch.topics.order_by("pk").values_list("number", flat=True))
    row = Progress(
        **vars(batch_row(batch)), chosen_topics=numbers, topics=topic_progress(batch), people=person_progress(batch)
    )
    return Response(ProgressSerializer(row, context=address.get_serializer_context()).data, status)
