"""What a snapshot leaves out and why, and what the runs would be worth had it been counted."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import snapshot_for
from annotation.kernel.api.page import Address, job_address, validated_data
from annotation.kernel.api.typed import serializer_of_type
from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.models import Job, Snapshot
from evaluation.accounting.api.asking import AskedJobSerializer, AskedRunsSerializer, ask
from evaluation.accounting.forms import AccountingForm
from evaluation.accounting.read import Dropped, TopicDrop, accounted_in, dropped_in, newest_accounting
from evaluation.accounting.steps.requests import SNAPSHOT, ask_accounting
from evaluation.formats.accounting import AccountingResult, as_object
from evaluation.models import Accounting

AccountedSerializer = serializer_of_type(AccountingResult, "Accounted")


@dataclass(frozen=True)
class SnapshotAccount:
    snapshot: Snapshot
    dropped: Dropped | None
    stored: Accounting | None
    job: Job | None


class DropReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(source="key")
    words = serializers.CharField()
    n = serializers.IntegerField()


class TopicDropSerializer(serializers.Serializer[TopicDrop]):
    number = serializers.CharField()
    n_pairs = serializers.IntegerField()
    n_dropped = serializers.IntegerField()
    by_reason = serializers.ListField(child=serializers.IntegerField(), help_text="In the order of the reasons.")


class LeftOutSerializer(serializers.Serializer[Dropped]):
    n_pairs = serializers.IntegerField(help_text="That the policy decided on.")
    n_dropped = serializers.IntegerField()
    reasons = DropReasonSerializer(many=True, help_text="Those that occur.")
    topics = TopicDropSerializer(many=True, help_text="The greatest share first.")


class AccountSerializer(serializers.Serializer[SnapshotAccount]):
    snapshot = serializers.CharField(source="snapshot.name")
    dropped = LeftOutSerializer(allow_null=True, help_text="null for imported qrels: what they leave out is not known.")
    made_at = serializers.DateTimeField(source="stored.made_at", allow_null=True, default=None)
    accounted = serializers.SerializerMethodField(
        help_text="As the JSON of the page has it: cases, shares judged, means and orders; null before it is asked for."
    )
    job_url = serializers.SerializerMethodField(help_text="Of the job that computes it now, or null.")

    @extend_schema_field(AccountedSerializer(allow_null=True))
    def get_accounted(self, account: SnapshotAccount) -> dict[str, Any] | None:
        return as_object(accounted_in(account.stored)) if account.stored else None

    def get_job_url(self, account: SnapshotAccount) -> str | None:
        return job_address(self.context["request"], account.job)


class SnapshotAccounting(Address):
    serializer_class = AccountSerializer

    @extend_schema(responses=AccountSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """What a snapshot leaves out, and the newest accounting of its runs. For admins and researchers."""
        snapshot = snapshot_for(self.person, slug, pk)
        jobs = latest_jobs(jobs_of_kind(snapshot.collection, SNAPSHOT, snapshot))
        return self.one(SnapshotAccount(snapshot, dropped_in(snapshot), newest_accounting(snapshot), jobs.live))

    @extend_schema(request=AskedRunsSerializer, responses={202: AskedJobSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Account for runs: what each would be worth had what the snapshot leaves out been counted. In a job."""
        snapshot = snapshot_for(self.person, slug, pk)
        sent = validated_data(AskedRunsSerializer(data=request.data))
        form = partial(AccountingForm, collection=snapshot.collection)
        return ask(self, form, sent, partial(ask_accounting, snapshot))
