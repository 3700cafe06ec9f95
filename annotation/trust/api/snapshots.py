"""Snapshots: what there are, what would be frozen, freezing, verifying, and the pairs that one leaves out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.formats.snapshot_jsonl import DroppedPair
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, snapshot_for
from annotation.kernel.api.page import Address, job_address, validated_data
from annotation.kernel.api.refusals import NOTHING, conflicts, refused
from annotation.models import Collection, Snapshot
from annotation.trust.api.quality import DroppedSerializer
from annotation.trust.forms.snapshots import FreezeForm
from annotation.trust.pages.api_choice import CHOICE, quality_in_query
from annotation.trust.pages.choice import ChoiceOfBatches
from annotation.trust.pages.grade_shares import GradeShare
from annotation.trust.pages.report import QualityReport
from annotation.trust.read.dropped import REASONS, DroppedPairs
from annotation.trust.read.lineage import lineage_of
from annotation.trust.read.policies import policies_of
from annotation.trust.read.snapshots import frozen_outcome, snapshots_of
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.deletion import SnapshotUsedError, delete_snapshot
from annotation.trust.steps.snapshots import FreezeError, Verification, start_freezing, verify_snapshot


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


class SnapshotInFullSerializer(SnapshotSerializer):
    lineage = serializers.SerializerMethodField(
        help_text="What it comes from, the nearest first: `what` with its `name`, what there is to say (`says`), "
        "and the `sha256` of its content, empty where none is kept."
    )

    def get_lineage(self, snapshot: Snapshot) -> list[dict[str, str]]:
        return [
            {"what": one.what, "name": one.name, "says": one.says, "sha256": one.sha256} for one in lineage_of(snapshot)
        ]


class NameSerializer(serializers.Serializer[None]):
    name = serializers.CharField(required=False, help_text="Only the snapshot of exactly this name.")


class NewSnapshotSerializer(serializers.Serializer[None]):
    """What to freeze."""

    name = serializers.CharField(max_length=100, help_text="Cannot be changed later, nor used again.")
    batches = serializers.ListField(
        child=serializers.CharField(),
        allow_empty=False,
        required=False,
        help_text="Tokens; all judged ones if left out.",
    )
    policy = serializers.CharField(required=False, help_text="`name vN`; the default policy if left out.")


class FreezingSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that freezes; its error says why it could not.")
    snapshots_url = serializers.URLField(help_text="Where the snapshot is, by its name, once it is done.")


class KeptGradeSerializer(serializers.Serializer[GradeShare]):
    grade = serializers.IntegerField()
    n = serializers.IntegerField()


@dataclass(frozen=True)
class Preview:
    """What freezing a choice of batches under a policy would give now."""

    choice: ChoiceOfBatches
    report: QualityReport

    @property
    def reading(self) -> list[str]:
        return [sentence.whole for sentence in self.report.verdict]


class PreviewSerializer(serializers.Serializer[Preview]):
    """What freezing would give now."""

    batches = serializers.SerializerMethodField(help_text="The tokens of those that were read.")
    policy = serializers.CharField(source="choice.chosen_policy")
    n_kept = serializers.IntegerField(source="report.outcome.n_kept", help_text="Pairs that would be frozen.")
    kept = KeptGradeSerializer(source="report.kept_grades", many=True, help_text="By grade.")
    n_dropped = serializers.IntegerField(source="report.n_dropped")
    dropped = DroppedSerializer(source="report.reasons", many=True)
    reading = serializers.ListField(child=serializers.CharField(), help_text="What to conclude, in sentences.")

    def get_batches(self, preview: Preview) -> list[str]:
        return [batch.token for batch in preview.choice.chosen_batches()]


class VerificationSerializer(serializers.Serializer[Verification]):
    sound = serializers.BooleanField()
    rebuilt = serializers.BooleanField(help_text="Whether it was rebuilt from its frozen inputs.")
    faults = serializers.ListField(child=serializers.CharField())


class DroppedPairSerializer(serializers.Serializer[DroppedPair]):
    number = serializers.CharField()
    docno = serializers.CharField()
    reason = serializers.CharField(help_text="In words.")
    n_judgments = serializers.IntegerField()
    min = serializers.IntegerField(allow_null=True)
    median = serializers.FloatField(allow_null=True)
    max = serializers.IntegerField(allow_null=True)


class ReasonChoiceSerializer(serializers.Serializer[None]):
    reason = serializers.ChoiceField(
        [each.name.lower() for each in REASONS], required=False, help_text="Those that drop for it alone."
    )


class Snapshots(Address):
    serializer_class = SnapshotSerializer

    @extend_schema(parameters=[NameSerializer], responses=SnapshotSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The snapshots of a collection, the newest first. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        parameters = validated_data(NameSerializer(data=request.query_params.dict()))
        name, rows = parameters.get("name"), snapshots_of(collection)
        return self.page_of(rows.filter(name=name) if name else rows)

    @extend_schema(request=NewSnapshotSerializer, responses={202: FreezingSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Freeze judgments into qrels that never change, in a job. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        form = _valid(collection, validated_data(NewSnapshotSerializer(data=request.data)))
        name, batches, policy = form.cleaned_data["name"], form.chosen_batches(), form.chosen_policy()
        with conflicts(FreezeError):
            job = start_freezing(collection, name=name, batches=batches, policy=policy, created_by=self.person)
        here = reverse("api_snapshots", args=[slug], query={"name": name}, request=request)
        return self.queued({"job_url": job_address(request, job), "snapshots_url": here})


class SnapshotDryRun(Address):
    serializer_class = PreviewSerializer

    @extend_schema(parameters=CHOICE, responses=PreviewSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """What freezing these batches under this policy would give now. Stores nothing. 404 where nothing is judged."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.one(Preview(*quality_in_query(request, collection)))


class OneSnapshot(Address):
    serializer_class = SnapshotInFullSerializer

    @extend_schema(responses=SnapshotInFullSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What a snapshot holds and what it was made by."""
        return self.one(snapshot_for(self.person, slug, pk))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete imported qrels. 409 where something rests on them, and for what was frozen here. For admins."""
        snapshot = snapshot_for(self.person, slug, pk, ADMIN)
        with conflicts(SnapshotUsedError):
            delete_snapshot(snapshot, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SnapshotVerify(Address):
    serializer_class = VerificationSerializer

    @extend_schema(request=None, responses=VerificationSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Prove that the files are whole and that the frozen inputs still give them, byte for byte."""
        return self.one(verify_snapshot(snapshot_for(self.person, slug, pk)))


class SnapshotDropped(Address):
    serializer_class = DroppedPairSerializer

    @extend_schema(parameters=[ReasonChoiceSerializer], responses=DroppedPairSerializer(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The pairs that a snapshot leaves out, each with the reason. 404 for imported qrels: it is not known."""
        outcome = frozen_outcome(snapshot_for(self.person, slug, pk))
        reason = validated_data(ReasonChoiceSerializer(data=request.query_params.dict())).get("reason", "")
        if outcome is None:
            raise Http404("These qrels were imported: what their makers left out is not known here.")
        return self.page_of(DroppedPairs(outcome, reason))


def _valid(collection: Collection, sent: Mapping[str, Any]) -> FreezeForm:
    """The form of the page. Raises `ValidationError` for what it refuses."""
    batches, policies = judged_batches(collection), policies_of(collection)
    blank = ChoiceOfBatches(batches=batches, policies=policies)
    data = QueryDict(mutable=True)
    data.setlist("batch", sent.get("batches") or list(blank.batches))
    data["policy"] = sent.get("policy") or str(blank.chosen_policy())
    data["name"] = sent["name"]
    form = FreezeForm(data, collection=collection, batches=batches, policies=policies)
    if not form.is_valid():
        raise refused({"batches" if name == "batch" else name: reasons for name, reasons in form.errors.items()})
    return form
