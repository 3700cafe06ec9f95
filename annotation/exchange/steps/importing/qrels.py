"""Qrels, straight into a snapshot. Topics and documents need not be here."""

from collections import Counter
from typing import BinaryIO, cast

import numpy as np

from annotation.exchange.steps.importing.importer import Importer, preview_of, read_as
from annotation.formats.problems import Problems
from annotation.formats.qrels import FORMATS, QrelsTable, write_table
from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.kernel.store import stored_files
from annotation.models import Import, Preview, Snapshot

SHOWN_ROWS = 10


class QrelsImporter(Importer):
    """See `Importer`. The check writes the qrels, in the order that every snapshot has, under their hash.

    Grades above the collection's scale are problems. Negative grades mean "pooled but not judged", as in TREC's tracks,
    and are kept. Option `grades`: see `parse_grade_map`; grades are checked and kept as the map says.
    """

    file_formats = FORMATS
    meanings = ("number", "docno", "grade")

    def __init__(self, record: Import, run: JobRun) -> None:
        super().__init__(record, run)
        self.files = stored_files()

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        self.run.report(done=0, total=0, message="Reading qrels")
        table = read_as(self.record, FORMATS, stream, problems)
        self._refuse_grades(table, problems)
        problems.check()
        preview = _preview(table, self.files.put(write_table(table)))
        self._compare(preview, problems)
        return preview

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """The check has read the file; here only the name may have been taken since, or the scale have changed."""
        preview = cast("Preview", self.record.preview)
        self._compare(preview, problems)
        scale, highest = self.collection.scale, int(preview["facts"].get("highest", 0))
        if scale is not None and highest > scale.top:
            problems.add(0, _above_scale(highest, scale.top))
        return preview

    def publish(self) -> None:
        facts = self.record.preview["facts"]
        here = self._namesake()
        if here and here.qrels_sha256 == facts["qrels_sha256"]:
            return
        if here:
            raise JobRefusedError(f"Meanwhile another snapshot has been called {here.name}.")
        Snapshot.objects.create(
            collection=self.collection,
            name=self.record.options["name"],
            origin=Snapshot.Origin.IMPORTED,
            scale=self.collection.scale,
            brought_by=self.record,
            qrels_sha256=facts["qrels_sha256"],
            n_topics=facts["n_topics"],
            n_pairs=facts["n_pairs"],
            created_by=self.record.created_by,
        )

    def _namesake(self) -> Snapshot | None:
        name = self.record.options["name"]
        return Snapshot.objects.filter(collection=self.collection, name=name).first()

    def _compare(self, preview: Preview, problems: Problems) -> None:
        """The same qrels under the same name change nothing; others under it are a problem."""
        here = self._namesake()
        if here and here.qrels_sha256 == preview["facts"]["qrels_sha256"]:
            problems.note(0, f"the snapshot {here.name} is already here, unchanged")
        elif here:
            problems.add(0, f"the collection already has another snapshot called {here.name}")

    def _refuse_grades(self, table: QrelsTable, problems: Problems) -> None:
        """Grades above the scale, each with its line."""
        scale = self.collection.scale
        assert scale is not None
        for row in np.flatnonzero(table.grade > scale.top):
            problems.add(int(table.line[row]), _above_scale(int(table.grade[row]), scale.top))


def _above_scale(grade: int, top: int) -> str:
    return f"the grade {grade} is above the collection's scale, which ends at {top}"


def _preview(table: QrelsTable, sha: str) -> Preview:
    tally = Counter(table.grade.tolist())
    n_topics = len(table.numbers)
    by_grade = [(f"Grade {grade}", tally[grade]) for grade in sorted(tally)]
    return preview_of(
        [("Topics", n_topics), ("Pairs", len(table)), *by_grade],
        QrelsImporter.meanings,
        [[number, docno, str(grade)] for number, docno, grade in table.first(SHOWN_ROWS)],
        qrels_sha256=sha,
        n_topics=n_topics,
        n_pairs=len(table),
        highest=int(table.grade.max()),
    )
