"""What people see of their own work: what they have done, and how their grades compare once they are told."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging.api.desk_serializers import NamedGradeSerializer
from annotation.judging.api.judge import JudgeAddress
from annotation.judging.forms import ObjectionForm
from annotation.judging.read.card_documents import text_of
from annotation.judging.read.own_results import Result, Verdict, feedback_of, result_of, results_of
from annotation.judging.read.own_work import BatchOfMine, DayOfMine, Done, OwnWork, SessionOfMine, work_of
from annotation.judging.steps.own_results import AppealError, mark_read, raise_appeal
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.api.form_fields import serializer_of_fields
from annotation.kernel.api.page import validated_data
from annotation.kernel.api.refusals import NOTHING, NothingToChange, cleaned, conflicts
from annotation.models import Appeal, Batch

RaisedObjectionSerializer = serializer_of_fields("RaisedObjection", ObjectionForm.base_fields)
SHOW = OpenApiParameter("show", enum=[each.value for each in Verdict], description="Those of one verdict alone.")


class WorkDoneSerializer(serializers.Serializer[Done]):
    n = serializers.IntegerField(help_text="Pairs judged.")
    active_hours = serializers.FloatField()
    wall_hours = serializers.FloatField()


class BatchOfMineSerializer(serializers.Serializer[BatchOfMine]):
    token = serializers.CharField(source="batch.token")
    name = serializers.CharField(source="batch.name")
    collection = serializers.CharField(source="batch.collection.slug")
    state = serializers.ChoiceField(Batch.State.choices, source="batch.state")
    is_active = serializers.BooleanField(help_text="Whether you still take part.")
    done = WorkDoneSerializer()
    n_skipped = serializers.IntegerField()
    n_results = serializers.IntegerField(help_text="Of how many pairs you were told how you did.")
    n_new = serializers.IntegerField(help_text="Of these, not marked as read.")


class DayOfMineSerializer(serializers.Serializer[DayOfMine]):
    day = serializers.DateField()
    done = WorkDoneSerializer()


class SessionOfMineSerializer(serializers.Serializer[SessionOfMine]):
    started_at = serializers.DateTimeField()
    minutes = serializers.IntegerField()
    n_judged = serializers.IntegerField()
    rest_minutes = serializers.IntegerField(help_text="Of the break after it.")


class OwnWorkSerializer(serializers.Serializer[OwnWork]):
    done = WorkDoneSerializer(read_only=True)
    batches = BatchOfMineSerializer(many=True)
    days = DayOfMineSerializer(many=True, help_text="Of the last four weeks, the newest first.")
    sessions = SessionOfMineSerializer(many=True, help_text="The last twenty.")


class OwnObjectionSerializer(serializers.Serializer[Appeal]):
    state = serializers.CharField(help_text="`open`, `upheld` or `declined`.")
    told_grade = serializers.IntegerField()
    reason = serializers.CharField()
    answer = serializers.CharField(help_text="Empty while it is open.")
    created_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)


class OwnResultSerializer(serializers.Serializer[Result]):
    result = serializers.CharField(source="token")
    number = serializers.CharField()
    topic_title = serializers.CharField(source="topic.title")
    title = serializers.CharField(source="document.title")
    mine = NamedGradeSerializer()
    known = NamedGradeSerializer()
    also_accepted = NamedGradeSerializer(many=True)
    verdict = serializers.ChoiceField([each.value for each in Verdict])
    above = serializers.IntegerField(help_text="Steps above the nearest accepted grade; below 0: below it.")
    explanation = serializers.CharField()
    comment = serializers.CharField()
    judged_at = serializers.DateTimeField()
    is_new = serializers.BooleanField()
    can_object = serializers.BooleanField()
    objection = OwnObjectionSerializer(source="appeal", allow_null=True, help_text="Your last one.")


class WholeOwnResultSerializer(OwnResultSerializer):
    topic_description = serializers.CharField(source="topic.description")
    topic_narrative = serializers.CharField(source="topic.narrative")
    text = serializers.SerializerMethodField(help_text="Of the document, without markup.")

    def get_text(self, result: Result) -> str:
        return text_of(result.document)


class ResultsReadSerializer(serializers.Serializer[Any]):
    n_new = serializers.IntegerField(help_text="How many were new.")


class OwnWorkAddress(JudgeAddress):
    serializer_class = OwnWorkSerializer

    @extend_schema(responses=OwnWorkSerializer)
    def get(self, request: Request) -> Response:
        """What you have done: by batch, by day, by session."""
        return self.one(work_of(self.person, moment=clock.now()))


class OwnResults(JudgeAddress):
    serializer_class = OwnResultSerializer

    @extend_schema(parameters=[SHOW], responses=OwnResultSerializer(many=True))
    def get(self, request: Request, token: str) -> Response:
        """How your grades compare with known ones, as far as you were told; the latest judgment first."""
        participation = participation_for(self.person, token, though_left=True)
        return self.page_of(results_of(participation).of(request.query_params.get("show", "")))


class OwnResultsRead(JudgeAddress):
    serializer_class = ResultsReadSerializer

    @extend_schema(request=None, responses=ResultsReadSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Mark all results of the batch as read."""
        participation = participation_for(self.person, token, though_left=True)
        return self.one({"n_new": mark_read(participation, moment=clock.now())})


class OwnResult(JudgeAddress):
    serializer_class = WholeOwnResultSerializer

    @extend_schema(responses=WholeOwnResultSerializer)
    def get(self, request: Request, token: str, result: str) -> Response:
        """One of your results with its texts."""
        participation = participation_for(self.person, token, though_left=True)
        return self.one(_or_404(result_of(participation, result)))


class OwnObject(JudgeAddress):
    serializer_class = WholeOwnResultSerializer

    @extend_schema(request=RaisedObjectionSerializer, responses={201: WholeOwnResultSerializer, 409: NOTHING})
    def post(self, request: Request, token: str, result: str) -> Response:
        """Object to what you were told of a judgment, with a reason. 409 where there is nothing to object to."""
        participation = participation_for(self.person, token, though_left=True)
        own, feedback = _or_404(result_of(participation, result)), feedback_of(participation, result)
        assert feedback is not None
        if not own.can_object:
            raise NothingToChange("There is nothing to object to here any more.")
        answer = cleaned(ObjectionForm(validated_data(RaisedObjectionSerializer(data=request.data))))
        with conflicts(AppealError):
            raise_appeal(feedback, reason=answer["reason"])
        return self.one(_or_404(result_of(participation, result)), status.HTTP_201_CREATED)


def _or_404(result: Result | None) -> Result:
    if result is None:
        raise Http404("Nothing was told of this judgment.")
    return result
