"""A log of clicks comes in, and is set beside the judgments of a snapshot: the check computes,
storing computes the same again.

Options of an import: `name`, `snapshot` (by name), `attraction` (`pair` or `grade`), `estimator`
(`ips` or `ratio`).
"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, BinaryIO

from django.db import transaction

from annotation.exchange.steps.importing import Importer, preview_of
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError
from annotation.kernel.store import path_of
from annotation.models import Preview, Snapshot, User
from annotation.trust.read.snapshots import qrels_path
from evaluation.formats.stored import finite
from evaluation.models import ClickComparison

if TYPE_CHECKING:
    from evaluation.engine.clicks.comparison import ClickComparison as Compared
    from evaluation.engine.clicks.comparison import GradeRates

MOST_DRAWN, MOST_LISTED = 1500, 500  # pairs on the plot, contradictions in the figures


class ClickLogImporter(Importer):
    """See `Importer`."""

    figures: dict[str, Any]
    drawing: dict[str, Any]

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        snapshot = self._snapshot(problems)
        if self._namesakes().exists():
            raise problems.stop(
                0, f"there are clicks called {self.record.options['name']} already: choose another name"
            )
        try:
            compared = self._compared(snapshot, problems)
        except FormatError:
            raise
        except ValueError as reason:
            raise problems.stop(0, str(reason)) from reason
        return self._preview(compared, problems)

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        return self.check(stream, problems)

    def publish(self) -> None:
        if self._namesakes().exists():
            raise JobRefusedError(f"Meanwhile other clicks have come that are called {self.record.options['name']}.")
        ClickComparison.objects.create(
            collection=self.collection,
            snapshot=Snapshot.objects.get(collection=self.collection, name=self.record.options["snapshot"]),
            name=self.record.options["name"],
            filename=self.record.filename,
            sha256=self.record.sha256,
            figures=self.figures,
            drawing=self.drawing,
            brought_by=self.record,
        )

    def _namesakes(self) -> Any:
        return ClickComparison.objects.filter(collection=self.collection, name=self.record.options["name"])

    def _snapshot(self, problems: Problems) -> Snapshot:
        name = self.record.options["snapshot"]
        snapshot = Snapshot.objects.filter(collection=self.collection, name=name).first()
        if snapshot is None:
            raise problems.stop(0, f"there is no snapshot {name}")
        return snapshot

    def _compared(self, snapshot: Snapshot, problems: Problems) -> "Compared":
        from evaluation.engine.clicks.comparison import ClickQuestion, compare_clicks
        from evaluation.formats.click_comparison import comparison_as_facts
        from evaluation.formats.files import parse_judged
        from evaluation.formats.log.clicks import read_click_counts

        def report(done: int, total: int) -> None:
            self.run.report(done=done, total=total, message="Resampling topics")

        asked = self.record.options
        self.run.report(done=0, total=0, message="Reading the log")
        counts = read_click_counts(path_of(self.record.sha256), problems)
        with qrels_path(snapshot).open("rb") as stream:
            qrels = parse_judged(stream, Problems(snapshot.name))
        question = ClickQuestion(by=asked.get("attraction") or "pair", estimator=asked.get("estimator") or "ips")
        compared = compare_clicks(counts, qrels, question, progress=report)
        listed = [asdict(one) for one in compared.contradictions[:MOST_LISTED]]
        figures = {"contradictions": listed, "n_contradictions": len(compared.contradictions)}
        self.figures = finite({**comparison_as_facts(compared, pairs=False), **figures})
        self.drawing = finite({"points": _points(compared)})
        return compared

    def _preview(self, compared: "Compared", problems: Problems) -> Preview:
        for sentence in self.figures["words"][1:]:
            problems.note(0, sentence)
        counts = [
            ("Judged pairs with clicks or none", len(compared.pairs)),
            ("Pairs of the log", compared.n_log),
            ("Topics", compared.n_topics),
            ("Contradictions", len(compared.contradictions)),
        ]
        columns = ("grade", "pairs", "impressions", "clicks", "click rate", "corrected")
        return preview_of(counts, columns, map(_cells, compared.grades))


@transaction.atomic
def delete_comparison(stored: ClickComparison, *, actor: User | None) -> None:
    """The import and the record stay."""
    record_audit("clicks deleted", actor=actor, collection=stored.collection, subject=stored.name, sha256=stored.sha256)
    stored.delete()


def _cells(one: "GradeRates") -> list[str]:
    counts = [str(one.grade), f"{one.n_pairs:,}", f"{one.impressions:,.0f}", f"{one.clicks:,.0f}"]
    return [*counts, f"{one.ctr.value:.4f}", f"{one.corrected.value:.4f}"]


def _points(compared: "Compared") -> list[dict[str, Any]]:
    """Pairs that contradict their grade, then those that were shown most."""
    kinds = {(one.number, one.docno): one.kind for one in compared.contradictions}
    order = sorted(compared.pairs, key=lambda one: ((one.number, one.docno) not in kinds, -one.impressions))
    return [
        {
            "number": one.number,
            "docno": one.docno,
            "grade": one.grade,
            "corrected": one.corrected,
            "low": one.low,
            "high": one.high,
            "impressions": one.impressions,
            "kind": kinds.get((one.number, one.docno), ""),
        }
        for one in order[:MOST_DRAWN]
    ]
