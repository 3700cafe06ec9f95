"""What goes into a bundle, read portion by portion: no lock is held, and judging goes on meanwhile.

Rows are read after those that refer to them. Of the batches there at the beginning, judgments are
those saved by then; what such a judgment stands on was there before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.db.models.expressions import Combinable

from annotation.kernel.store import FileStore, stored_files
from annotation.models import Batch, Collection, Import, Job, Judgment, QualificationAnswer, User

EXPORT, CHECK, IMPORT = "export_bundle", "check_bundle", "import_bundle"
PORTION = 1000


@dataclass(frozen=True)
class Transfer:
    """A collection on its way out, or in: then with the import that stands for the bundle, and who brings it.

    `batches` are primary keys; so are `last_judgment`, the last one that goes along, and `last_answer`, that of rounds.
    `sanitised` has the HTML texts that sanitising has changed: by docno and hash on the way in, the hash here.
    `files`: where the files lie that the rows name. On the way in that is a place apart until the collection is there.
    """

    collection: Collection
    batches: frozenset[int] = frozenset()
    last_judgment: int = 0
    record: Import | None = None
    actor: User | None = None
    sanitised: dict[tuple[str, str], str] = field(default_factory=dict)
    last_answer: int = 0
    files: FileStore = field(default_factory=stored_files)

    @classmethod
    def out_of(cls, collection: Collection) -> Self:
        """The collection as it stands now, without what an import under way has staged."""
        batches = Batch.objects.filter(collection=collection).exclude(state=Batch.State.IMPORTING)
        judgment = Judgment.objects.filter(collection=collection).aggregate(last=Max("pk"))["last"] or 0
        answers = QualificationAnswer.objects.filter(item__qualification__collection=collection)
        answer = answers.aggregate(last=Max("pk"))["last"] or 0
        return cls(collection, frozenset(batches.values_list("pk", flat=True)), judgment, last_answer=answer)

    def has_judgment(self) -> Exists:
        """Whether an assignment has a judgment that goes along."""
        return Exists(Judgment.objects.filter(assignment=OuterRef("pk"), pk__lte=self.last_judgment))


def bundle_jobs(collection: Collection) -> QuerySet[Job]:
    """The packings of a collection, the newest first."""
    return Job.objects.filter(collection=collection, kind=EXPORT).select_related("created_by").order_by("-pk")


def checks_of(person: User) -> QuerySet[Job]:
    """The jobs that looked through collections which the person has uploaded, the newest first."""
    return Job.objects.filter(kind=CHECK, created_by=person).order_by("-pk")


def storing_of(checks: Sequence[Job]) -> dict[str, Job]:
    """By the token of the job that looked through a collection: the last one that was to bring it in."""
    jobs = Job.objects.filter(kind=IMPORT, payload__check__in=[check.token for check in checks])
    return {job.payload["check"]: job for job in jobs.order_by("pk")}


def paged(table: "QuerySet[Any]", *columns: str | Combinable, portion: int = PORTION) -> Iterator[tuple[Any, ...]]:
    """The columns of every row in the order of primary keys, one query a portion."""
    last = 0
    while rows := list(table.filter(pk__gt=last).order_by("pk").values_list("pk", *columns)[:portion]):
        yield from (row[1:] for row in rows)
        last = rows[-1][0]
