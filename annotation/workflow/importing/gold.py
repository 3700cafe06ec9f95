"""Gold: pairs whose grade is known. Their topics and documents must be here, their grades on the scale."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from annotation.formats.forms import Form
from annotation.formats.gold import FORMS, GoldRow
from annotation.formats.problems import Problems
from annotation.models import Import, Preview
from annotation.workflow.gold import compare_gold, take_gold
from annotation.workflow.importing.reading import read_as
from annotation.workflow.jobs import JobRun

SHOWN_ROWS = 10


class GoldImporter:
    """See `Importer`. The events are written inside the flip, by the step that takes all gold."""

    meanings = ("number", "docno", "grade", "reason")

    def __init__(self, record: Import, run: JobRun) -> None:
        self.record, self.run = record, run
        self.rows: list[GoldRow] = []

    @staticmethod
    def forms() -> Sequence[Form[Iterator[GoldRow]]]:
        return FORMS

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        self.run.report(done=0, total=0, message="Reading gold")
        read = read_as(self.record, FORMS, stream, problems)
        self.rows = list(read)
        self.run.report(done=0, total=0, message=f"Looking up {len(self.rows)} pairs")
        compared = compare_gold(self.record.collection, rows=self.rows, problems=problems)
        counts = [("New or corrected", compared.n_set), ("Unchanged", compared.n_unchanged)]
        shown = [[row.number, row.docno, str(row.grade), row.reason] for row in self.rows[:SHOWN_ROWS]]
        return Preview(counts=counts, columns=list(self.meanings), rows=shown, notes=[], facts={})

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """As the check: gold counts from the moment it is written."""
        return self.check(stream, problems)

    def publish(self) -> None:
        take_gold(
            self.record.collection,
            rows=self.rows,
            problems=Problems(self.record.filename),
            source=self.record.filename,
            actor=self.record.created_by,
        )
