"""The steps of a batch's life, who takes part in it, what its people are told, and pairs that nobody could judge."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.api.batch_serializers import BatchSerializer
from annotation.batches.forms.batches import AssignForm, FeedbackForm, UnassignForm
from annotation.batches.read.batches import annotators_of, batch_row, item_of
from annotation.batches.steps import batches as flow
from annotation.kernel.access import RESEARCH, batch_for
from annotation.kernel.api.form_fields import serializer_of_fields
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, cleaned, conflicts
from annotation.kernel.visible import visible_annotators
from annotation.models import Batch
from annotation.trust.read.withheld import withheld_pairs

DONE = {200: BatchSerializer, 409: NOTHING}
FeedbackSerializer = serializer_of_fields("BatchFeedback", FeedbackForm.base_fields)


class PeopleSerializer(serializers.Serializer[None]):
    """Who: by name, or everybody."""

    everybody = serializers.BooleanField(required=False, help_text="All annotators whom the collection has now.")
    annotators = serializers.ListField(child=serializers.CharField(), required=False, help_text="By pseudonym.")


class PersonSerializer(serializers.Serializer[None]):
    annotator = serializers.CharField(help_text="The pseudonym.")


class WithheldSerializer(serializers.Serializer[object]):
    item = serializers.CharField(source="item.token")
    number = serializers.CharField(source="item.topic.number")
    docno = serializers.CharField(source="item.document.docno")
    skips = serializers.ListField(child=serializers.CharField(), help_text="Who could not judge it, and why.")
    decided = serializers.IntegerField(allow_null=True, help_text="The grade that was decided on meanwhile, or null.")


class BatchDeed(Address):
    """A change of one batch; 409 with the reason where it is not possible now."""

    serializer_class = BatchSerializer

    def step(self, slug: str, token: str, change: Callable[..., object], **answers: Any) -> Response:
        return self.changed(batch_for(self.person, slug, token), change, **answers)

    def changed(self, batch: Batch, change: Callable[..., object], **answers: Any) -> Response:
        with conflicts(flow.BatchError):
            change(batch, **answers, actor=self.person)
        batch.refresh_from_db()
        return self.one(batch_row(batch))


class BatchOpen(BatchDeed):
    @extend_schema(request=None, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Let the participants of a laid-out batch judge. For admins."""
        return self.step(slug, token, flow.open_batch)


class BatchPause(BatchDeed):
    @extend_schema(request=None, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Hand out no new cards; those that people hold may still be judged. For admins."""
        return self.step(slug, token, flow.pause_batch)


class BatchReopen(BatchDeed):
    @extend_schema(request=None, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Go on after a pause or a close. For admins."""
        return self.step(slug, token, flow.reopen_batch)


class BatchClose(BatchDeed):
    @extend_schema(request=None, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """End the judging; what was judged stays as it is. For admins."""
        return self.step(slug, token, flow.close_batch)


class BatchAssign(BatchDeed):
    @extend_schema(request=PeopleSerializer, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Let more people take part, unless the batch is closed; who takes part already stays. For admins."""
        batch = batch_for(self.person, slug, token)
        people = annotators_of(batch.collection)
        form = AssignForm(validated_data(PeopleSerializer(data=request.data)), annotators=people, by="pseudonym")
        return self.changed(batch, flow.assign_annotators, annotators=cleaned(form)["annotators"])


class BatchUnassign(BatchDeed):
    @extend_schema(request=PersonSerializer, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """End a person's part in the batch, unless it is closed; what they judged stays. For admins."""
        batch = batch_for(self.person, slug, token)
        people = visible_annotators(batch.collection)
        form = UnassignForm(validated_data(PersonSerializer(data=request.data)), annotators=people, by="pseudonym")
        return self.changed(batch, flow.unassign_annotator, **cleaned(form))


class BatchFeedback(BatchDeed):
    @extend_schema(request=FeedbackSerializer, responses=DONE)
    def post(self, request: Request, slug: str, token: str) -> Response:
        """When people are told how they did on gold, from now on. What they were told before stays. For admins."""
        batch = batch_for(self.person, slug, token)
        form = FeedbackForm(validated_data(FeedbackSerializer(data=request.data)))
        return self.changed(batch, flow.change_feedback, **cleaned(form))


class BatchWithheld(Address):
    serializer_class = WithheldSerializer

    @extend_schema(responses=WithheldSerializer(many=True))
    def get(self, request: Request, slug: str, token: str) -> Response:
        """The pairs that nobody is handed any more because people could not judge them. For admins and researchers."""
        batch = batch_for(self.person, slug, token, RESEARCH)
        return self.page_of(withheld_pairs(batch.collection, [batch], batch.criterion))


class BatchRelease(BatchDeed):
    @extend_schema(request=None, responses=DONE)
    def post(self, request: Request, slug: str, token: str, item: str) -> Response:
        """Hand a withheld pair out again. For admins."""
        batch = batch_for(self.person, slug, token)
        with conflicts(flow.BatchError):
            flow.release_item(item_of(batch, item), actor=self.person)
        return self.one(batch_row(batch))
