"""Runs, parsed and packed once, by the check; publishing is one row."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, cast

from annotation.exchange.steps.importing import Importer, preview_of, read_as
from annotation.formats.file_formats import FileFormat
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRefusedError
from annotation.kernel.store import put
from annotation.models import Preview
from annotation.text.counted import counted
from evaluation.models import Run

if TYPE_CHECKING:
    from evaluation.engine.run import PackedRun, RunTable

SHOWN_ROWS = 10
LONGEST_TAG = 100


class RunImporter(Importer):
    """See `Importer`."""

    meanings = ("number", "docno", "score", "tag")

    @classmethod
    def formats(cls) -> "Sequence[FileFormat[RunTable]]":
        from evaluation.formats.run import FORMATS

        return FORMATS

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        from evaluation.engine.run import load_run, pack_run

        self.run.report(done=0, total=0, message="Reading the run")
        table = read_as(self.record, self.formats(), stream, problems)
        tag = self.record.options.get("tag") or table.tag
        _refuse_tag(tag, problems)
        self.run.report(done=0, total=0, message=f"Packing {counted(len(table), 'row')}")
        data = pack_run(table, tag=tag)
        preview = _preview(load_run(data), put(data))
        self._compare(preview, problems)
        return preview

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        """The check has read and packed the file; here only the tag may have been taken since."""
        preview = cast("Preview", self.record.preview)
        self._compare(preview, problems)
        return preview

    def publish(self) -> None:
        facts = self.record.preview["facts"]
        here = Run.objects.filter(collection=self.record.collection, tag=facts["tag"]).first()
        if here and here.sha256 == facts["sha256"]:
            return
        if here:
            raise JobRefusedError(f"Meanwhile another run has come with the tag {here.tag}.")
        Run.objects.create(
            collection=self.record.collection,
            filename=self.record.filename,
            description=self.record.options.get("description", ""),
            created_by=self.record.created_by,
            **facts,
        )

    def _compare(self, preview: Preview, problems: Problems) -> None:
        """The same run again changes nothing; another run under its tag is a problem."""
        facts = preview["facts"]
        here = Run.objects.filter(collection=self.record.collection, tag=facts["tag"]).first()
        if here and here.sha256 == facts["sha256"]:
            problems.note(0, f"the run {here.tag} is already here, unchanged")
        elif here:
            problems.add(0, f"the collection already has another run with the tag {here.tag}")


def _refuse_tag(tag: str, problems: Problems) -> None:
    if not tag:
        problems.add(0, "there is no tag in the file: say what the run is called")
    if len(tag) > LONGEST_TAG:
        problems.add(0, f"the tag is {len(tag)} characters long, at most {LONGEST_TAG} are allowed")
    problems.check()


def _preview(run: "PackedRun", sha: str) -> Preview:
    from evaluation.engine.run import to_trec

    lines = islice((line for piece in to_trec(run) for line in piece.decode().rstrip("\n").split("\n")), SHOWN_ROWS)
    fields = [line.split(" ") for line in lines]
    return preview_of(
        [("Topics", run.n_topics), ("Rows", run.n_rows), ("Tied rows", run.n_tied)],
        ["number", "docno", "rank", "score"],
        [[number, docno, rank, score] for number, _, docno, rank, score, _ in fields],
        tag=run.tag,
        sha256=sha,
        n_topics=run.n_topics,
        n_rows=run.n_rows,
        n_tied=run.n_tied,
    )
