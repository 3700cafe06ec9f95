"""Judgments made elsewhere, in any format that `annotation.formats.outside` knows.

They become a batch of their own, closed from the start. Topics and documents that are not here come
in by their ids alone. A grade outside the scale stays what it is and counts as "cannot judge".
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import BinaryIO

from annotation.corpus.read.texts import current_topic_versions
from annotation.corpus.steps.document_counts import add_documents
from annotation.exchange.steps.importing.importer import Importer, preview_of, read_as
from annotation.exchange.steps.importing.judgments.columns import JudgmentColumns
from annotation.exchange.steps.importing.judgments.out_of_range import fit_evidence, note_beyond, refuse_beyond
from annotation.exchange.steps.importing.judgments.people import People, machines_among, people_of, refuse_people
from annotation.exchange.steps.importing.judgments.storing import store_judgments, texts_here
from annotation.exchange.steps.importing.texts import DOCUMENTS, TOPICS, cut, size_of_file
from annotation.formats.column_names import JUDGMENT
from annotation.formats.grade_map import CANNOT_JUDGE
from annotation.formats.outside import FORMATS, OutsideJudgment, quepid
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRun
from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Collection, Document, Import, Preview
from annotation.text.counted import counted

SHOWN = ("number", "docno", "annotator", "grade", "at", "seconds", "comment")
SHOWN_ROWS = 10
STEP = 20_000  # rows between two reports
LONGEST_NAME = 100
SAME_READING = ("grades", "annotators", "machines", "columns")


class JudgmentImporter(Importer):
    """See `Importer`. Options: `name` of the batch; `grades`, see `parse_grade_map`; `annotators`, see `people_of`;
    `machines`, see `machines_among`."""

    file_formats = FORMATS
    meanings = tuple(meaning.name for meaning in JUDGMENT)

    def __init__(self, record: Import, run: JobRun) -> None:
        super().__init__(record, run)
        self.name = record.options.get("name") or name_from(record.filename)

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        preview, _, _ = self._read(stream, problems)
        return preview

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        preview, columns, people = self._read(stream, problems)
        if not problems and self._namesake() is None:
            store_judgments(self.record, self.name, columns=columns, people=people, run=self.run)
        return preview

    def publish(self) -> None:
        """Topics, documents and people become visible with the import itself."""
        n_documents = Document.objects.filter(brought_by=self.record).count()
        add_documents(self.collection, n_documents=n_documents, n_texts=0)
        Batch.objects.filter(brought_by=self.record).update(state=Batch.State.CLOSED)

    def _read(self, stream: BinaryIO, problems: Problems) -> tuple[Preview, JudgmentColumns, People]:
        columns, rows = JudgmentColumns(), list[list[str]]()
        read = read_as(self.record, FORMATS, stream, problems)
        if self.record.preview["format"]["name"] == quepid.FORMAT.name:
            read = under_known_numbers(self.collection, read)
        for judgment in read:
            columns.add(judgment)
            if len(rows) < SHOWN_ROWS:
                rows.append(_shown(judgment))
            if len(columns) % STEP == 0:
                self._report(stream, len(columns))
        people = self._people_unless_here(columns, problems)
        fit_evidence(self.collection, columns, problems)
        preview = preview_of(self._counts(columns, people), SHOWN, rows)
        self._judge_grades(columns, problems)
        self._note_texts(columns, problems)
        return preview, columns, people

    def _people_unless_here(self, columns: JudgmentColumns, problems: Problems) -> People:
        """Unless the same is here already; a name that is taken by something else is a problem."""
        here = self._namesake()
        if here is None:
            return self._people(columns, problems)
        if self._is_same(here):
            problems.note(0, f"the batch {self.name} is already here with these judgments, unchanged")
        else:
            problems.add(0, f"the collection already has another batch called {self.name}: choose another name")
        return People()

    def _people(self, columns: JudgmentColumns, problems: Problems) -> People:
        rule, names = (self.record.options.get(name) or "" for name in ("annotators", "machines"))
        people = people_of(self.collection, columns.people, rule=rule, problems=problems)
        people.machines = machines_among(columns.people, names=names, problems=problems) | columns.machines
        refuse_people(people.machines, people.keys, problems)
        return people

    def _namesake(self) -> Batch | None:
        return visible_batches(self.collection).filter(name=self.name).select_related("brought_by").first()

    def _is_same(self, batch: Batch) -> bool:
        """Whether the batch came from the same bytes, read in the same way."""
        earlier = batch.brought_by
        if earlier is None or _bytes_and_format(earlier) != _bytes_and_format(self.record):
            return False
        return all((earlier.options.get(name) or "") == (self.record.options.get(name) or "") for name in SAME_READING)

    def _counts(self, columns: JudgmentColumns, people: People) -> list[tuple[str, int]]:
        scale = self.collection.scale
        assert scale is not None
        meetings, tally = columns.meetings, columns.tally
        grades = range(scale.bottom, scale.top + 1)
        return [
            ("Judgments", len(columns)),
            ("Topics", len(columns.numbers)),
            ("Documents", len(columns.docnos)),
            ("Annotators", len(columns.people)),
            *([("Of these machine judges", len(people.machines))] if people.machines else []),
            ("Pairs", meetings.n_pairs),
            ("Revisions", len(columns) - len(meetings.pair)),
            *((f"Grade {grade}", tally[grade]) for grade in grades),
            ("Cannot judge", sum(n for grade, n in tally.items() if grade not in grades)),
            *([("With a duration", columns.n_timed)] if columns.n_timed else []),
            *([("With evidence", len(columns.evidence))] if columns.evidence else []),
        ]

    def _judge_grades(self, columns: JudgmentColumns, problems: Problems) -> None:
        scale = self.collection.scale
        assert scale is not None
        refuse_beyond(self.record.options.get("grades", ""), scale=scale, problems=problems)
        note_beyond(columns.tally, scale=scale, problems=problems)

    def _note_texts(self, columns: JudgmentColumns, problems: Problems) -> None:
        """How many topics and documents are here by their ids alone."""
        topics = texts_here(self.collection, TOPICS, columns.numbers)
        documents = texts_here(self.collection, DOCUMENTS, columns.docnos)
        n_topics = sum(topics.get(number, (0, None))[1] is None for number in columns.numbers)
        n_documents = sum(documents.get(docno, (0, None))[1] is None for docno in columns.docnos)
        if n_topics or n_documents:
            problems.note(
                0, f"without a text here: {counted(n_topics, 'topic')} and {counted(n_documents, 'document')}"
            )

    def _report(self, stream: BinaryIO, n: int) -> None:
        size = size_of_file(self.record)
        self.run.report(done=min(stream.tell(), size), total=size, message=f"{counted(n, 'judgment')} read")


def _bytes_and_format(record: Import) -> tuple[str, str, str]:
    return record.kind, record.sha256, record.preview.get("format", {}).get("name", "")


def under_known_numbers(collection: Collection, judgments: Iterator[OutsideJudgment]) -> Iterator[OutsideJudgment]:
    """Judgments of queries under the number of the topic that has the query as its title, where one alone has it."""
    numbers = dict[str, str]()
    n_topics = Counter[str]()
    for number, title in current_topic_versions(collection).values_list("topic__number", "title"):
        query = quepid.number_of_query(title)
        numbers[query] = number
        n_topics[query] += 1
    for judgment in judgments:
        yield replace(judgment, number=numbers[judgment.number]) if n_topics[judgment.number] == 1 else judgment


def name_from(filename: str) -> str:
    """What a batch is called where nobody says: the file's name without its endings."""
    name = PurePath(filename).name
    return (name.partition(".")[0] or name)[:LONGEST_NAME]


def _shown(judgment: OutsideJudgment) -> list[str]:
    grade = "cannot" if judgment.grade == CANNOT_JUDGE else str(judgment.grade)
    at = judgment.at.isoformat(sep=" ", timespec="seconds") if judgment.at else ""
    seconds = "" if judgment.wall_ms is None else f"{judgment.wall_ms / 1000:g}"
    return [judgment.number, judgment.docno, judgment.annotator, grade, at, seconds, cut(judgment.comment)]
