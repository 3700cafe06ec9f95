"""Clicks beside judgments. Logs come in as imports of the kind `clicks`."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.page import Address, or_404
from evaluation.clicks.read import comparison_named, comparisons_of
from evaluation.clicks.steps import delete_comparison
from evaluation.models import ClickComparison


class ClickComparisonLineSerializer(serializers.Serializer[ClickComparison]):
    name = serializers.CharField()
    snapshot = serializers.CharField(source="snapshot.name")
    filename = serializers.CharField()
    sha256 = serializers.CharField(help_text="Of the log.")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, stored: ClickComparison) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_click_comparison", args=[slug, stored.name], request=self.context["request"])


class ClickComparisonSerializer(ClickComparisonLineSerializer):
    figures = serializers.SerializerMethodField(help_text="As `compare_clicks --json` has them, without `pairs`.")

    def get_figures(self, stored: ClickComparison) -> dict[str, Any]:
        figures: dict[str, Any] = stored.figures
        return figures


class Clicks(Address):
    serializer_class = ClickComparisonLineSerializer

    @extend_schema(responses=ClickComparisonLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Logs of clicks that were set beside judgments, the newest first. For admins and researchers."""
        return self.page_of(comparisons_of(collection_for(self.person, slug, RESEARCH)))


class OneClickComparison(Address):
    serializer_class = ClickComparisonSerializer

    @extend_schema(responses=ClickComparisonSerializer)
    def get(self, request: Request, slug: str, name: str) -> Response:
        """Clicks beside judgments: rates by grade, positions, contradictions. For admins and researchers."""
        return self.one(or_404(comparison_named(collection_for(self.person, slug, RESEARCH), name), "clicks"))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, name: str) -> Response:
        """Delete clicks; their log can be imported again. For admins."""
        stored = or_404(comparison_named(collection_for(self.person, slug, ADMIN), name), "clicks")
        delete_comparison(stored, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)
