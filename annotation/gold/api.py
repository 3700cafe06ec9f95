"""Gold, for those who may know it."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.gold.read.current import gold_rows
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address
from annotation.models import GoldEvent


class GoldSerializer(serializers.Serializer[GoldEvent]):
    number = serializers.CharField(source="topic.number")
    docno = serializers.CharField(source="document.docno")
    grade = serializers.IntegerField()
    accepted = serializers.ListField(child=serializers.IntegerField(), help_text="The grades that count as right.")
    reason = serializers.CharField(help_text="For admins and researchers alone.")
    explanation = serializers.CharField(help_text="What annotators are told who judged the pair, once that is due.")
    created_at = serializers.DateTimeField()


class Gold(Address):
    serializer_class = GoldSerializer

    @extend_schema(responses=GoldSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The pairs whose grade is known, as it stands now, topic by topic. For admins and researchers."""
        return self.page_of(gold_rows(collection_for(self.person, slug, RESEARCH)))
