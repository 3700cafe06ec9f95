"""The files of snapshots."""

from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from annotation.exchange.read.exports import QRELS_FORMATS, outgoing_qrels
from annotation.exchange.read.exports.qrels import export_name
from annotation.kernel.access import snapshot_for
from annotation.kernel.api.page import Address, stored_file, validated_data
from annotation.kernel.files import download
from annotation.trust.read.snapshots import pairs_path, qrels_path

KINDS = ("text/plain", "application/x-ndjson", "text/csv", "application/vnd.apache.parquet", "application/zip")


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
