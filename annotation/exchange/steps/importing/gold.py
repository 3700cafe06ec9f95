"""Gold: pairs whose grade is known. Their topics and documents must be here, their grades on the scale."""

from typing import BinaryIO

from annotation.exchange.steps.importing.importer import CORRECT_ALL, SKIP, Importer, left_aside, preview_of, read_as
from annotation.formats.gold import FORMATS, GoldRow
from annotation.formats.problems import Problems
from annotation.gold.steps.corrections import corrections_in_words, corrections_of
from annotation.gold.steps.events import GoldEntry, append_gold, compare_gold
from annotation.gold.steps.files import gold_entries, note_misfit, refuse_unmapped
from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.models import Import, Preview
from annotation.text.counted import counted

SHOWN_ROWS = 10


class GoldImporter(Importer):
    """See `Importer`. The events are written inside the flip, by the step that takes all gold.

    The topic and the document of a pair must be here, if only by their ids: pairs that were judged elsewhere can be
    gold without texts. Options: `grades`, see `parse_grade_map`; `unknown`, as for pairs.
    """

    file_formats = FORMATS
    meanings = ("number", "docno", "grade", "reason", "explanation", "accepted")

    def __init__(self, record: Import, run: JobRun) -> None:
        super().__init__(record, run)
        self.entries: list[GoldEntry] = []

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        self.run.report(done=0, total=0, message="Reading gold")
        read = read_as(self.record, FORMATS, stream, problems)
        rows = list(read)
        if not self.record.options.get("grades"):
            refuse_unmapped(self.collection, rows, problems)
            note_misfit(self.collection, rows, problems)
        self.run.report(done=0, total=0, message=f"Looking up {counted(len(rows), 'pair')}")
        skips = self.record.options.get("unknown") == SKIP
        self.entries = gold_entries(self.collection, rows, problems, skip_unknown=skips)
        preview = self._preview([_shown(row) for row in rows[:SHOWN_ROWS]], problems)
        preview["counts"] += left_aside(len(rows), len(self.entries))
        return preview

    def _preview(self, shown: list[list[str]], problems: Problems) -> Preview:
        """How many pairs are new, and what would be corrected: `facts` ask for that to be confirmed."""
        compared = compare_gold(self.collection, self.entries)
        corrections = corrections_of(self.collection, self.entries)
        counts = [
            ("New", compared.n_set - compared.n_known),
            ("Corrected", len(corrections)),
            ("Explained anew", compared.n_known - len(corrections)),
            ("Unchanged", compared.n_unchanged),
        ]
        if corrections:
            problems.note(0, corrections_in_words(corrections))
        facts = {"corrects": len(corrections)} if corrections else {}
        return preview_of(counts, self.meanings, shown, **facts)

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """As the check: gold counts from the moment it is written."""
        return self.check(stream, problems)

    def publish(self) -> None:
        record, n = self.record, len(corrections_of(self.collection, self.entries))
        confirmed = record.options.get("correct", 0)
        if n and confirmed not in (CORRECT_ALL, n):
            raise JobRefusedError(
                f"By now this file corrects {counted(n, 'pair that is', 'pairs that are')} gold, not {confirmed}. "
                "Check it again."
            )
        append_gold(record.collection, self.entries, source=record.filename, actor=record.created_by)


def _shown(row: GoldRow) -> list[str]:
    accepted = " ".join(map(str, row.accepted or ()))
    return [row.number, row.docno, str(row.grade), row.reason, row.explanation, accepted]
