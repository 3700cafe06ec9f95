"""Snapshots and their files."""

from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.exchange.read.exports import QRELS_FORMATS, outgoing_qrels
from annotation.exchange.read.exports.qrels import export_name
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, snapshot_for
from annotation.kernel.api.page import Address, stored_file, validated_data
from annotation.kernel.api.refusals import NOTHING, refused_as_conflict
from annotation.kernel.files import download
from annotation.models import Snapshot
from annotation.trust.read import pairs_path, qrels_path, snapshots_of
from annotation.trust.steps import SnapshotUsedError, delete_snapshot

KINDS = ("text/plain", "application/x-ndjson", "text/csv", "application/vnd.apache.parquet", "application/zip")


class SnapshotSerializer(serializers.Serializer[Snapshot]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    criterion = serializers.CharField()
    origin = serializers.ChoiceField(Snapshot.Origin.choices)
    policy = serializers.SerializerMethodField()
    counts_machines = serializers.BooleanField(help_text="Whether machine judges counted like people in its making.")
    n_topics = serializers.IntegerField()
    n_pairs = serializers.IntegerField()
    n_dropped = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    qrels_sha256 = serializers.CharField()
    url = serializers.SerializerMethodField()
    qrels_url = serializers.SerializerMethodField()
    pairs_url = serializers.SerializerMethodField()

    def get_policy(self, snapshot: Snapshot) -> str | None:
        return str(snapshot.policy) if snapshot.policy else None

    def get_url(self, snapshot: Snapshot) -> str:
        return self._address("api_snapshot", snapshot)

    def get_qrels_url(self, snapshot: Snapshot) -> str:
        return self._address("api_snapshot_qrels", snapshot)

    def get_pairs_url(self, snapshot: Snapshot) -> str | None:
        return self._address("api_snapshot_pairs", snapshot) if snapshot.pairs_sha256 else None

    def _address(self, name: str, snapshot: Snapshot) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse(name, args=[slug, snapshot.pk], request=self.context["request"])


class NameSerializer(serializers.Serializer[None]):
    name = serializers.CharField(required=False, help_text="Only the snapshot of exactly this name.")


class Snapshots(Address):
    serializer_class = SnapshotSerializer

    @extend_schema(parameters=[NameSerializer], responses=SnapshotSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The snapshots of a collection, the newest first. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        parameters = validated_data(NameSerializer(data=request.query_params.dict()))
        name, rows = parameters.get("name"), snapshots_of(collection)
        return self.page_of(rows.filter(name=name) if name else rows)


class OneSnapshot(Address):
    serializer_class = SnapshotSerializer

    @extend_schema(responses=SnapshotSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What a snapshot holds and what it was made by."""
        return self.one(snapshot_for(self.person, slug, pk))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete imported qrels. 409 where something rests on them, and for what was frozen here. For admins."""
        snapshot = snapshot_for(self.person, slug, pk, ADMIN)
        with refused_as_conflict(SnapshotUsedError):
            delete_snapshot(snapshot, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class QrelsFormSerializer(serializers.Serializer[None]):
    form = serializers.ChoiceField(choices=QRELS_FORMATS, default="trec")


class SnapshotQrels(Address):
    @extend_schema(parameters=[QrelsFormSerializer], responses={(200, kind): OpenApiTypes.BINARY for kind in KINDS})
    def get(self, request: Request, slug: str, pk: int) -> HttpResponseBase:
        """Qrels. TREC: the bytes as they are stored, ETag: their SHA-256. The other forms are streamed."""
        snapshot = snapshot_for(self.person, slug, pk)
        form = validated_data(QrelsFormSerializer(data=request.query_params.dict()))["form"]
        file = outgoing_qrels(snapshot, form)
        if form != "trec":
            return download(file)
        return stored_file(request, qrels_path(snapshot), content_type=file.content_type, filename=file.filename)


class SnapshotPairs(Address):
    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str, pk: int) -> HttpResponseBase:
        """The pairs with confidence and counts, an object a line. 404 for imported qrels, which have none."""
        snapshot = snapshot_for(self.person, slug, pk)
        path = pairs_path(snapshot)
        if path is None:
            raise Http404("Imported qrels have no such file.")
        return stored_file(
            request, path, content_type="application/x-ndjson", filename=export_name(snapshot, "pairs.jsonl")
        )
