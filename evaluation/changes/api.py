"""What changed from one snapshot to another."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import snapshot_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import refused
from evaluation.changes.pages import object_of
from evaluation.changes.read import earlier_snapshots, snapshot_changes


class SinceSerializer(serializers.Serializer[None]):
    since = serializers.CharField(
        required=False, help_text="The name of an earlier snapshot; the one that it most likely came from if left out."
    )


class OriginSerializer(serializers.Serializer[Any]):
    what = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class PairCountsSerializer(serializers.Serializer[Any]):
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    regraded = serializers.IntegerField()
    same = serializers.IntegerField()


class PairChangeSerializer(serializers.Serializer[Any]):
    topic = serializers.CharField()
    docno = serializers.CharField()
    before = serializers.IntegerField(allow_null=True, help_text="Its grade; null where that snapshot lacks it.")
    after = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(help_text="Why one lacks it; empty where that is not known.")


class ChangesSerializer(serializers.Serializer[Any]):
    before = serializers.CharField(help_text="The name of the earlier snapshot.")
    after = serializers.CharField()
    conclusion = serializers.ListField(child=serializers.CharField())
    origins = OriginSerializer(many=True, help_text="What both were made from.")
    pairs = PairCountsSerializer()
    changes = PairChangeSerializer(many=True, help_text="Every pair that changed.")
    runs = serializers.SerializerMethodField(help_text="Those evaluated against both, as an accounting has them.")

    @extend_schema_field({"type": "object", "additionalProperties": {}, "nullable": True})
    def get_runs(self, changes: dict[str, Any]) -> dict[str, Any] | None:
        runs: dict[str, Any] | None = changes["runs"]
        return runs


class SnapshotChanged(Address):
    serializer_class = ChangesSerializer

    @extend_schema(parameters=[SinceSerializer], responses=ChangesSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What changed since an earlier snapshot: what both were made from, pairs, grades, reasons, and the runs.

        The same as `manage.py snapshot_changes --json`. For admins and researchers.
        """
        after = snapshot_for(self.person, slug, pk)
        name = validated_data(SinceSerializer(data=request.query_params.dict())).get("since")
        earlier = earlier_snapshots(after)
        before = next((each for each in earlier if name in (None, each.name)), None)
        if before is None:
            raise refused(
                {"since": ["There is no such earlier snapshot." if name else "There is no earlier snapshot."]}
            )
        return self.one(object_of(snapshot_changes(before, after)))
