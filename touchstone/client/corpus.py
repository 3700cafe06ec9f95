"""What is judged, and by which guideline: scale, guideline, information, topics, documents, pools."""

from collections.abc import Iterator
from typing import Unpack

from touchstone.client.jobs import Job, job_of
from touchstone.client.parts import Part
from touchstone.client.schema.corpus import (
    Document,
    DocumentsQuery,
    Guideline,
    GuidelineEntriesRequest,
    GuidelineLine,
    PoolEntriesRequest,
    Scale,
    Topic,
    TopicsQuery,
    WholeDocument,
    WholePool,
    WholeTopic,
)
from touchstone.client.schema.people import Information, InformationLine
from touchstone.client.schema.pooling import (
    GrowingEntriesRequest,
    NextAsked,
    NextPairs,
    NextPoolRequest,
    NextPortion,
    NextQueryRequest,
    PoolJob,
    PoolsNextQuery,
    PoolsSampleQuery,
    ReplayAsked,
    ReplayEntriesRequest,
    ReplayLine,
    Sample,
    WholeReplay,
    WithoutRunsEntriesRequest,
)
from touchstone.client.schema.runs import PoolCount, PoolOfRunsEntriesRequest
from touchstone.client.schema.shared import GradeEntriesRequest, Pool


class ScalePart(Part):
    def read(self) -> Scale:
        return self._get(Scale)

    def replace(self, *, grades: list[GradeEntriesRequest]) -> Scale:
        """These grades, the lowest first; of another number only while nothing is graded."""
        return self._put(Scale, body={"grades": grades})


class GuidelinePart(Part):
    def read(self) -> Guideline:
        """The version in force."""
        return self._get(Guideline)

    def versions(self) -> Iterator[GuidelineLine]:
        return self._pages(GuidelineLine, "versions")

    def version(self, number: int) -> Guideline:
        return self._get(Guideline, "versions", number)

    def write(self, **entries: Unpack[GuidelineEntriesRequest]) -> Guideline:
        """Put a text in force. `based_on` is the version that you have edited: a conflict, if another came since."""
        return self._post(Guideline, "versions", body=entries)


class InformationPart(Part):
    """What people are told, and agree to, before they take part."""

    def all(self) -> Iterator[InformationLine]:
        return self._pages(InformationLine)

    def read(self, number: int) -> Information:
        """One version, and who has agreed to it."""
        return self._get(Information, number)

    def write(self, *, text: str) -> Information:
        """A text that no batch asks for yet."""
        return self._post(Information, body={"text": text})

    def revise(self, number: int, *, text: str) -> Information:
        """Another text in the place of this one, for the batches that ask for it."""
        return self._post(Information, number, "revise", body={"text": text})


class Topics(Part):
    def all(self, **query: Unpack[TopicsQuery]) -> Iterator[Topic]:
        return self._pages(Topic, query=query)

    def read(self, number: str) -> WholeTopic:
        return self._get(WholeTopic, number)


class Documents(Part):
    def all(self, **query: Unpack[DocumentsQuery]) -> Iterator[Document]:
        return self._pages(Document, query=query)

    def read(self, docno: str) -> WholeDocument:
        return self._get(WholeDocument, docno)


class Pools(Part):
    def all(self) -> Iterator[Pool]:
        return self._pages(Pool)

    def read(self, pool: int) -> WholePool:
        return self._get(WholePool, pool)

    def make(self, **entries: Unpack[PoolEntriesRequest]) -> WholePool:
        """Of pairs of number and docno, each with a text here."""
        return self._post(WholePool, body=entries)

    def make_from_runs(self, **entries: Unpack[PoolOfRunsEntriesRequest]) -> Pool:
        """Of the first `depth` documents of each run."""
        return self._post(Pool, "runs", body={"dry_run": False, **entries})

    def count_from_runs(self, **entries: Unpack[PoolOfRunsEntriesRequest]) -> PoolCount:
        """What that would give; it needs no name."""
        return self._post(PoolCount, "runs", body={"dry_run": True, **entries})

    def make_without_runs(self, **entries: Unpack[WithoutRunsEntriesRequest]) -> Job:
        """All pairs, a random sample or what BM25 finds: a job makes it."""
        return job_of(self._wire, self._post(PoolJob, "without-runs", body=entries))

    def next(self, **query: Unpack[PoolsNextQuery]) -> NextPairs:
        """The unjudged pairs that would tell most, as `touchstone judge_next --json` has them."""
        return self._get(NextPairs, "next", query=query)

    def rank_next(self, **entries: Unpack[NextQueryRequest]) -> Job:
        """What takes long: once the job is done, `next` and `make_next` have it."""
        return job_of(self._wire, self._post(NextAsked, "next", "ranking", body=entries))

    def make_next(self, **entries: Unpack[NextPoolRequest]) -> Pool:
        """Of these pairs."""
        return self._post(Pool, "next", body=entries)

    def replay(self, **entries: Unpack[ReplayEntriesRequest]) -> Job:
        """What each way to choose judgments would have made of a pool that is judged already."""
        return job_of(self._wire, self._post(ReplayAsked, "replays", body=entries))

    def replays(self) -> Iterator[ReplayLine]:
        """What was replayed, the newest first."""
        return self._pages(ReplayLine, "replays")

    def read_replay(self, replay: int) -> WholeReplay:
        """With all its figures, as `touchstone pooling_replay --json` has them."""
        return self._get(WholeReplay, "replays", replay)

    def make_growing(self, **entries: Unpack[GrowingEntriesRequest]) -> Pool:
        """The first portion of a pool that grows as judging goes on."""
        return self._post(Pool, "growing", body=entries)

    def next_portion(self, pool: int) -> NextPortion:
        """How far a growing pool is, and the pairs that would come next."""
        return self._get(NextPortion, pool, "portion")

    def grow(self, pool: int) -> Pool:
        """Make these its next portion."""
        return self._post(Pool, pool, "portion")

    def sample(self, pool: int, **query: Unpack[PoolsSampleQuery]) -> Sample:
        """A stratified pool with the grades of a snapshot; one that is no random sample is refused."""
        return self._get(Sample, pool, "sample", query=query)

    def delete(self, pool: int) -> None:
        self._do(pool, method="DELETE")
