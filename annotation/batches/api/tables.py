"""What the pages of a batch give as files, row by row: hours of work, and how a policy steers it."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.pages.tables import OVERLAP
from annotation.batches.read.batches import days_of_work
from annotation.batches.read.overlap import steering_of
from annotation.formats.hours import DayOfWork
from annotation.kernel.access import RESEARCH, batch_for
from annotation.kernel.api.page import Address
from annotation.kernel.api.tables import serializer_of


class DayOfWorkSerializer(serializers.Serializer[DayOfWork]):
    day = serializers.DateField(help_text="In UTC.")
    annotator = serializers.CharField(source="pseudonym")
    judgments = serializers.IntegerField(source="n_judged")
    active_hours = serializers.FloatField(help_text="While the page was used.")
    wall_hours = serializers.FloatField(help_text="From opening to saving.")


OverlapPathSerializer = serializer_of("OverlapPath", OVERLAP.columns, "Pairs that have so many judgments.")


class BatchHours(Address):
    serializer_class = DayOfWorkSerializer

    @extend_schema(responses=DayOfWorkSerializer(many=True))
    def get(self, request: Request, slug: str, token: str) -> Response:
        """Hours of work, a row a person and day, by pseudonym. For admins and researchers."""
        return self.page_of(days_of_work(batch_for(self.person, slug, token, RESEARCH)))


class BatchOverlap(Address):
    serializer_class = OverlapPathSerializer

    @extend_schema(responses=OverlapPathSerializer(many=True))
    def get(self, request: Request, slug: str, token: str) -> Response:
        """Of a batch that a policy steers: a row a number of judgments. 404 where their number is fixed."""
        steering = steering_of(batch_for(self.person, slug, token, RESEARCH))
        if steering is None:
            raise Http404("This batch has a fixed number of judgments.")
        return self.page_of(list(OVERLAP.rows(steering)))
