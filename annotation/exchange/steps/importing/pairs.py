"""Pairs to judge, into a pool. Their topics and documents must be here."""

from collections.abc import Sequence
from typing import BinaryIO

from annotation.corpus.read.pairs import FoundPairs
from annotation.corpus.steps.pooling import pairs_to_judge, record_pool, rows_here, stage_pool
from annotation.exchange.steps.importing.importer import SKIP, Importer, left_aside, preview_of, read_as
from annotation.formats.pairs import FORMATS, PairRow
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRun
from annotation.kernel.taken import TakenError
from annotation.models import Import, Pool, Preview
from annotation.text.counted import counted

SHOWN_ROWS = 10


class PairImporter(Importer):
    """See `Importer`. The pool is filled out of sight, and is there with the import.

    The option `unknown`: pairs that are not here are refused, or left aside where it is `SKIP`.
    """

    file_formats = FORMATS
    meanings = ("number", "docno")

    def __init__(self, record: Import, run: JobRun) -> None:
        super().__init__(record, run)
        self.rows: list[PairRow] = []
        self.n_aside = 0
        self.pairs_here = FoundPairs({}, {})

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        self.run.report(done=0, total=0, message="Reading pairs")
        read = read_as(self.record, FORMATS, stream, problems)
        rows, skips = list(read), self.record.options.get("unknown") == SKIP
        self.run.report(done=0, total=0, message=f"Looking up {counted(len(rows), 'pair')}")
        self.pairs_here = pairs_to_judge(self.collection, rows, problems, skip_unknown=skips)
        self.rows = rows_here(rows, self.pairs_here, problems) if skips else rows
        self.n_aside = len(rows) - len(self.rows)
        self._refuse_name(problems)
        preview = _preview(self.rows)
        preview["counts"] += left_aside(len(rows), len(self.rows))
        return preview

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        preview = self.check(stream, problems)
        if not problems:
            try:
                stage_pool(self.record, rows=self.rows, ids=self.pairs_here, n_aside=self.n_aside, run=self.run)
            except TakenError:
                self._refuse_name(problems)
        return preview

    def publish(self) -> None:
        record_pool(Pool.objects.get(brought_by=self.record))

    def _refuse_name(self, problems: Problems) -> None:
        name = self.record.options["name"]
        if Pool.objects.filter(collection=self.collection, name=name).exists():
            problems.add(0, f"the collection already has a pool called {name}")


def _preview(rows: Sequence[PairRow]) -> Preview:
    counts = [("Topics", len({row.number for row in rows})), ("Pairs", len(rows))]
    shown = [[row.number, row.docno] for row in rows[:SHOWN_ROWS]]
    return preview_of(counts, PairImporter.meanings, shown)
