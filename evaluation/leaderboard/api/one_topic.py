"""Two runs on one topic: which documents make their difference."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form
from annotation.kernel.api.page import Address
from evaluation.engine.packed import PackedError
from evaluation.formats.side_by_side import as_facts
from evaluation.leaderboard.forms import BesideForm
from evaluation.leaderboard.read.topics import two_runs_beside


class BesideQuerySerializer(serializers.Serializer[None]):
    """Which runs and topic, and by which measure."""

    snapshot = serializers.CharField(help_text="The name of a snapshot.")
    first = serializers.CharField(help_text="The tag of a run.")
    second = serializers.CharField(help_text="The tag of another.")
    measure = serializers.CharField(help_text="One whose summary is a mean of a quality.")
    number = serializers.CharField(help_text="Of a topic of the snapshot.")


class BesideDocumentSerializer(serializers.Serializer[Any]):
    docno = serializers.CharField()
    grade = serializers.IntegerField(allow_null=True, help_text="null: not judged.")
    first_rank = serializers.IntegerField(allow_null=True, help_text="null: not within the depth.")
    second_rank = serializers.IntegerField(allow_null=True, help_text="null: not within the depth.")
    part = serializers.FloatField(help_text="By how much the difference would fall if it were not relevant.")


class SideBySideSerializer(serializers.Serializer[Any]):
    number = serializers.CharField()
    measure = serializers.CharField()
    first = serializers.CharField()
    second = serializers.CharField()
    first_value = serializers.FloatField()
    second_value = serializers.FloatField()
    difference = serializers.FloatField(help_text="First minus second.")
    depth = serializers.IntegerField(help_text="So many documents of each run are looked at.")
    documents = BesideDocumentSerializer(many=True, help_text="Those that make most of the difference first.")


class EvaluationsCompareTopic(Address):
    serializer_class = BesideQuerySerializer

    @extend_schema(parameters=[BesideQuerySerializer], responses=SideBySideSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Two runs on one topic, as `manage.py compare --topic NUMBER --json` has them. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = BesideQuerySerializer(data=request.query_params.dict())
        serializer.is_valid(raise_exception=True)
        asked = checked_form(BesideForm, serializer.validated_data, collection=collection).cleaned_data
        runs, number = (asked["first"], asked["second"]), serializer.validated_data["number"]
        try:
            return Response(as_facts(two_runs_beside(asked["snapshot"], runs, number, asked["measure"])))
        except (ValueError, PackedError) as reason:
            raise Http404(str(reason)) from reason
