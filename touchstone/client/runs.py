"""Snapshots, runs, what one says of the other, and what treating pairs otherwise would say."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Unpack

from touchstone.client.jobs import ImportWork, Job, job_of, last_part
from touchstone.client.parts import Part
from touchstone.client.schema.accounting import (
    Account,
    AccountingFileQuery,
    AccountingLine,
    AskedJob,
    AskedPoliciesRequest,
    AskedRunsRequest,
    WholeAccounting,
)
from touchstone.client.schema.changes import Changes, SnapshotsChangedQuery
from touchstone.client.schema.exchange import SnapshotsQrelsQuery
from touchstone.client.schema.leaderboard import (
    Asked,
    ComparedManyRequest,
    EvaluateRequest,
    Evaluation,
    EvaluationsCompareManyQuery,
    EvaluationsCompareQuery,
    EvaluationsCompareTopicQuery,
    EvaluationsQuery,
    ManyAsked,
    ManyRunsCompared,
    RunsCompared,
    SideBySide,
    UnjudgedEntriesRequest,
    WholeEvaluation,
)
from touchstone.client.schema.reports import AskedReport, Report, ReportEntriesRequest, ReportsQuery
from touchstone.client.schema.runs import FusedRun, FusionEntriesRequest, Run, RunFilesQuery, Uploaded, UploadRequest
from touchstone.client.schema.sensitivity import (
    PairShares,
    SensitivityAsked,
    SensitivityEntriesRequest,
    SensitivitySharesQuery,
    StudyLine,
    WholeStudy,
)
from touchstone.client.schema.shared import Pool
from touchstone.client.schema.trust import (
    DroppedPair,
    Freezing,
    NewSnapshotRequest,
    Preview,
    Snapshot,
    SnapshotInFull,
    SnapshotsDroppedQuery,
    SnapshotsDryRunQuery,
    SnapshotsQuery,
    Verification,
)
from touchstone.client.uploads import File


class Snapshots(Part):
    def all(self, **query: Unpack[SnapshotsQuery]) -> Iterator[Snapshot]:
        """The newest first; `name` picks one by its exact name."""
        return self._pages(Snapshot, query=query)

    def read(self, snapshot: int) -> SnapshotInFull:
        return self._get(SnapshotInFull, snapshot)

    def dry_run(self, **query: Unpack[SnapshotsDryRunQuery]) -> Preview:
        """What freezing would give now."""
        return self._get(Preview, "dry-run", query=query)

    def freeze(self, **entries: Unpack[NewSnapshotRequest]) -> Job:
        return job_of(self._wire, self._post(Freezing, body=entries))

    def verify(self, snapshot: int) -> Verification:
        """That its files are whole, and that its inputs still give them."""
        return self._post(Verification, snapshot, "verify")

    def dropped(self, snapshot: int, **query: Unpack[SnapshotsDroppedQuery]) -> Iterator[DroppedPair]:
        return self._pages(DroppedPair, snapshot, "dropped", query=query)

    def save_qrels(self, snapshot: int, path: str | os.PathLike[str], **query: Unpack[SnapshotsQrelsQuery]) -> Path:
        return self._save(path, snapshot, "qrels", query=query)

    def save_pairs(self, snapshot: int, path: str | os.PathLike[str]) -> Path:
        """With confidence and counts, as JSONL."""
        return self._save(path, snapshot, "pairs")

    def changed(self, snapshot: int, **query: Unpack[SnapshotsChangedQuery]) -> Changes:
        """What changed since an earlier one: pairs, grades, what both were made from, and the runs."""
        return self._get(Changes, snapshot, "changed", query=query)

    def accounting(self, snapshot: int) -> Account:
        """What it leaves out, and the newest accounting of its runs."""
        return self._get(Account, snapshot, "accounting")

    def account(self, snapshot: int, **entries: Unpack[AskedRunsRequest]) -> Job:
        return job_of(self._wire, self._post(AskedJob, snapshot, "accounting", body=entries))

    def delete(self, snapshot: int) -> None:
        """Imported qrels on which nothing rests."""
        self._do(snapshot, method="DELETE")


class Accountings(Part):
    """Policies compared by what each does to the ranking of runs."""

    def all(self) -> Iterator[AccountingLine]:
        return self._pages(AccountingLine)

    def read(self, accounting: int) -> WholeAccounting:
        return self._get(WholeAccounting, accounting)

    def compare_policies(self, **entries: Unpack[AskedPoliciesRequest]) -> Job:
        return job_of(self._wire, self._post(AskedJob, body=entries))

    def save(self, accounting: int, path: str | os.PathLike[str], **query: Unpack[AccountingFileQuery]) -> Path:
        return self._save(path, accounting, "file", query=query)


class SensitivityPart(Part):
    """How sure the order of runs is."""

    def all(self) -> Iterator[StudyLine]:
        """What was studied, the newest first."""
        return self._pages(StudyLine)

    def read(self, study: int) -> WholeStudy:
        """With all its numbers, as `touchstone sensitivity --json` has them."""
        return self._get(WholeStudy, study)

    def study(self, **entries: Unpack[SensitivityEntriesRequest]) -> Job:
        """Which changes the order of runs survives, and shares of draws."""
        return job_of(self._wire, self._post(SensitivityAsked, body=entries))

    def shares(self, **query: Unpack[SensitivitySharesQuery]) -> PairShares:
        """In what share of draws of topics, of judgments and of both one run beats another."""
        return self._get(PairShares, "shares", query=query)


class Runs(Part):
    """At the address of the collection: files of runs and fused runs have addresses of their own."""

    def all(self) -> Iterator[Run]:
        return self._pages(Run, "runs")

    def read(self, tag: str) -> Run:
        return self._get(Run, "runs", tag)

    def bring(self, file: File, *, filename: str | None = None, **entries: Unpack[UploadRequest]) -> ImportWork:
        """Send a path or an open file; `wait` until it is published."""
        answer = self._upload(Uploaded, file, filename, entries, "runs")
        number = int(last_part(answer["import_url"]))
        return ImportWork(self._wire, self._at("imports", number), number)

    def fuse(self, **entries: Unpack[FusionEntriesRequest]) -> Job:
        """A new run of several."""
        return job_of(self._wire, self._post(FusedRun, "fused-runs", body=entries))

    def save(self, tag: str, path: str | os.PathLike[str], **query: Unpack[RunFilesQuery]) -> Path:
        return self._save(path, "run-files", tag, query=query)

    def delete(self, tag: str) -> None:
        """Unless something was made with it."""
        self._do("runs", tag, method="DELETE")


class Evaluations(Part):
    def all(self, **query: Unpack[EvaluationsQuery]) -> Iterator[Evaluation]:
        """Means with their intervals."""
        return self._pages(Evaluation, query=query)

    def read(self, evaluation: int) -> WholeEvaluation:
        """One, topic by topic."""
        return self._get(WholeEvaluation, evaluation)

    def evaluate(self, **entries: Unpack[EvaluateRequest]) -> Job:
        return job_of(self._wire, self._post(Asked, body=entries))

    def pool_unjudged(self, evaluation: int, **entries: Unpack[UnjudgedEntriesRequest]) -> Pool:
        """A pool of what the run has within `depth` and the snapshot does not judge."""
        return self._post(Pool, evaluation, "pool", body=entries)

    def compare(self, **query: Unpack[EvaluationsCompareQuery]) -> RunsCompared:
        """Evaluated runs pair by pair, as `touchstone compare --format json` has them."""
        return self._get(RunsCompared, "compare", query=query)

    def compare_topic(self, **query: Unpack[EvaluationsCompareTopicQuery]) -> SideBySide:
        """Two runs on one topic: which documents make their difference."""
        return self._get(SideBySide, "compare-topic", query=query)

    def compare_many(self, **query: Unpack[EvaluationsCompareManyQuery]) -> ManyRunsCompared:
        """Which of many evaluated runs can be told apart, as `touchstone compare_many --json` has them."""
        return self._get(ManyRunsCompared, "compare-many", query=query)

    def compare_many_later(self, **entries: Unpack[ComparedManyRequest]) -> Job:
        """What takes long, by one measure: once the job is done, `compare_many` has it."""
        return job_of(self._wire, self._post(ManyAsked, "compare-many", body=entries))


class Reports(Part):
    def all(self, **query: Unpack[ReportsQuery]) -> Iterator[Report]:
        """The newest first; with `job`, the token of a job, what it made."""
        return self._pages(Report, query=query)

    def read(self, report: int) -> Report:
        return self._get(Report, report)

    def make(self, **entries: Unpack[ReportEntriesRequest]) -> Job:
        """A report of runs against a snapshot: once the job is done, `all(job=job.token)` has it."""
        return job_of(self._wire, self._post(AskedReport, body=entries))

    def save(self, report: int, path: str | os.PathLike[str]) -> Path:
        """Its folder, as a zip."""
        return self._save(path, report, "file")
