"""Pairs to judge, into a pool. Their topics and documents must be here."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from annotation.formats.forms import Form
from annotation.formats.pairs import FORMS, PairRow
from annotation.formats.problems import Problems
from annotation.models import Import, Pool, Preview
from annotation.workflow.importing.reading import read_as
from annotation.workflow.jobs import JobRun
from annotation.workflow.pooling import create_pool, pairs_to_judge

SHOWN_ROWS = 10


class PairImporter:
    """See `Importer`. The pool is made inside the flip, by the step that makes every pool."""

    meanings = ("number", "docno")

    def __init__(self, record: Import, run: JobRun) -> None:
        self.record, self.run = record, run
        self.rows: list[PairRow] = []

    @staticmethod
    def forms() -> Sequence[Form[Iterator[PairRow]]]:
        return FORMS

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        self.run.report(done=0, total=0, message="Reading pairs")
        read = read_as(self.record, FORMS, stream, problems)
        self.rows = list(read)
        self.run.report(done=0, total=0, message=f"Looking up {len(self.rows)} pairs")
        pairs_to_judge(self.record.collection, self.rows, problems)
        self._refuse_name(problems)
        return _preview(self.rows)

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """As the check: a pool has no row before it is there whole."""
        return self.check(stream, problems)

    def publish(self) -> None:
        create_pool(
            self.record.collection,
            name=self.record.options["name"],
            pairs=self.rows,
            problems=Problems(self.record.filename),
            origin={"kind": "file", "filename": self.record.filename, "sha256": self.record.sha256},
            created_by=self.record.created_by,
        )

    def _refuse_name(self, problems: Problems) -> None:
        name = self.record.options["name"]
        if Pool.objects.filter(collection=self.record.collection, name=name).exists():
            problems.add(0, f"the collection already has a pool called {name}")


def _preview(rows: Sequence[PairRow]) -> Preview:
    return Preview(
        counts=[("Topics", len({row.number for row in rows})), ("Pairs", len(rows))],
        columns=["number", "docno"],
        rows=[[row.number, row.docno] for row in rows[:SHOWN_ROWS]],
        notes=[],
        facts={},
    )
