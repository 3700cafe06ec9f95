"""One annotator as their page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isinf

import numpy as np

from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.plots.bars import Bar, BarPlot, named_bar_plot
from annotation.kernel.plots.intervals import IntervalPlot, share, share_plot
from annotation.kernel.results.recipes import BatchChoice
from annotation.models import Annotator, Batch, ExclusionEvent, Judgment
from annotation.quality.annotators import Profiles
from annotation.quality.annotators.fatigue import BANDS
from annotation.quality.arrays import Floats, or_none
from annotation.quality.inputs import Inputs
from annotation.quality.pairs import find
from annotation.quality.policy import Policy as Parameters
from annotation.quality.purpose import CRITERION
from annotation.quality.wilson import wilson_interval
from annotation.text.counted import counted
from annotation.trust.pages.annotator.everybody import EVERYBODY, Everybody, everybody
from annotation.trust.pages.annotator.remarks import standing_out
from annotation.trust.pages.annotator.rows import BESIDE_OTHERS, HABITS, ON_GOLD, OVER_TIME, FigureRow, Kind, Statistic
from annotation.trust.pages.grade_shares import GradeShare, shares_of
from annotation.trust.pages.standing import Measured, Verdict, verdict_on
from annotation.trust.pages.watch import WatchRow
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.kept import remembered
from annotation.trust.read.results import is_large, result_of

# The parts of the page by their keys in its address, and what they are called.
PARTS = {
    "": "Work",
    "gold": "On gold",
    "others": "Beside others",
    "habits": "Habits and pace",
    "time": "Over time",
}


@dataclass(frozen=True)
class AlikeRow:
    """Somebody whom this person is nearly a copy of, or is closest to."""

    pseudonym: str
    n: int
    same: float
    expected: float
    n_left_out: int  # others as alike, who explain nothing here
    it_takes: float  # pairs, all with the same grade, until the two are named; infinite where none would do

    @property
    def can_be_told(self) -> bool:
        return not isinf(self.it_takes)


@dataclass(frozen=True)
class BandRow:
    """Gold and pace at a stretch of a session; None where nothing is known."""

    name: str
    n_gold: int
    right: float | None
    low: float
    high: float
    seconds: float | None


@dataclass(frozen=True, eq=False)
class AnnotatorReport:
    """`row`: of the person among the table's annotators. What takes time is computed when it is asked for."""

    pseudonym: str
    row: int
    standing: str
    believed: bool
    n_counted: int
    exclusion: ExclusionEvent | None
    threshold: float
    watch: WatchRow
    profiles: Profiles
    verdict: Verdict

    @cached_property
    def conclusions(self) -> list[str]:
        alike = [f"Agrees with {row.pseudonym} far more often than chance and accuracy explain." for row in self.alike]
        remarks = [*alike, *standing_out(self.profiles, self.row, threshold=self.threshold)]
        return remarks or ["Nothing else stands out."]

    @cached_property
    def on_gold(self) -> list[FigureRow]:
        return self._rows(ON_GOLD)

    @cached_property
    def beside_others(self) -> list[FigureRow]:
        return self._rows(BESIDE_OTHERS)

    @cached_property
    def habits(self) -> list[FigureRow]:
        return self._rows(HABITS)

    @cached_property
    def over_time(self) -> list[FigureRow]:
        return self._rows(OVER_TIME)

    @cached_property
    def plot(self) -> IntervalPlot | None:
        """Shares with their intervals; None without any."""
        figures = [(row.name, row.figure) for row in (*self.on_gold, *self.beside_others) if row.kind is Kind.SHARE]
        rows = [share(name, each.value, each.low, each.high) for name, each in figures if each.value is not None]
        return share_plot(rows) if rows else None

    @cached_property
    def grades(self) -> list[GradeShare]:
        return shares_of(self.profiles.inputs.scale.grades, self.profiles.grade_counts[self.row])

    @cached_property
    def grades_of_all(self) -> list[GradeShare]:
        return shares_of(self.profiles.inputs.scale.grades, self.profiles.grade_counts.sum(axis=0))

    @property
    def n_grades(self) -> int:
        return sum(share.n for share in self.grades)

    @property
    def n_grades_of_all(self) -> int:
        return sum(share.n for share in self.grades_of_all)

    @cached_property
    def confusion(self) -> list[tuple[int, list[GradeShare], int]]:
        """For each gold grade that was judged: which grades were given, and how many in all."""
        grades, matrix = self.profiles.inputs.scale.grades, self.profiles.confusion[self.row]
        rows = zip(grades, matrix, strict=True)
        return [(grade, shares_of(grades, row), int(row.sum())) for grade, row in rows if row.any()]

    @cached_property
    def distances(self) -> BarPlot:
        """Gold judgments by steps from what is accepted."""
        return named_bar_plot([Bar(n, f"{step} off: {counted(n, 'judgment')}", str(step)) for step, n in self.n_off])

    @property
    def n_off(self) -> list[tuple[int, int]]:
        return list(enumerate(self.profiles.severity.distances[self.row].tolist()))

    @cached_property
    def bands(self) -> list[BandRow]:
        """Stretches of sessions with a gold judgment or a time."""
        fatigue, i = self.profiles.fatigue, self.row
        n, right = fatigue.n_gold[i], fatigue.n_right[i]
        interval = wilson_interval(right, n)
        rows = [
            BandRow(
                name,
                int(n[b]),
                float(right[b] / n[b]) if n[b] else None,
                float(interval.low[b]),
                float(interval.high[b]),
                or_none(fatigue.seconds[i, b]),
            )
            for b, name in enumerate(_band_names())
        ]
        return [row for row in rows if row.n_gold or row.seconds is not None]

    @cached_property
    def bands_plot(self) -> IntervalPlot | None:
        """Shares right on gold by place in the session; None without any."""
        rows = [share(row.name, row.right, row.low, row.high) for row in self.bands if row.right is not None]
        return share_plot(rows) if rows else None

    @cached_property
    def alike(self) -> list[AlikeRow]:
        return [self._alike(c) for c in self._couples if self.profiles.copies.alike[c]]

    @cached_property
    def closest(self) -> AlikeRow | None:
        """Where nobody is named: who gave the same grade most often, of equals on most pairs."""
        copies = self.profiles.copies
        if self.alike or not self._couples:
            return None
        return self._alike(max(self._couples, key=lambda c: (copies.same[c] / copies.n[c], copies.n[c])))

    @property
    def n_compared(self) -> int:
        """Others with whom enough pairs are shared to tell a near-copy."""
        return len(self._couples)

    @cached_property
    def _couples(self) -> list[int]:
        copies = self.profiles.copies
        own: list[int] = np.flatnonzero((copies.first == self.row) | (copies.second == self.row)).tolist()
        return own

    def _alike(self, couple: int) -> AlikeRow:
        copies, names = self.profiles.copies, self.profiles.inputs.table.annotators
        return AlikeRow(
            names[int(copies.first[couple] + copies.second[couple] - self.row)],
            int(copies.n[couple]),
            float(copies.same[couple] / copies.n[couple]),
            float(copies.expected[couple]),
            int(copies.left_out[couple]),
            float(copies.it_takes[couple]),
        )

    def _rows(self, statistics: Sequence[Statistic]) -> list[FigureRow]:
        return [each.row(self.profiles, self.row) for each in statistics]


def annotator_report(annotator: Annotator, batches: Sequence[Batch], parameters: Parameters) -> AnnotatorReport | None:
    """Of somebody who takes part in the batches, or judged in them; else None. `ValueError` as of `policy_inputs`."""
    choice, asked = BatchChoice(annotator.collection, batches, CRITERION), {"policy": parameters.to_json()}
    if is_large(choice):
        return _report(annotator, result_of(EVERYBODY, choice, asked), parameters)

    def compute() -> AnnotatorReport | None:
        inputs = kept_inputs(annotator.collection, batches)
        return _report(annotator, everybody(choice, parameters, _saved_at(annotator, inputs)), parameters)

    what = ("annotator", annotator.pseudonym, parameters.sha256)
    return remembered(annotator.collection, batches, CRITERION, what, compute)


def _report(annotator: Annotator, everybody: Everybody, parameters: Parameters) -> AnnotatorReport | None:
    names, people = everybody.names, everybody.people
    if annotator.pseudonym not in names:
        return None
    row = names.index(annotator.pseudonym)
    accuracy, watch = people.accuracy, everybody.watch[row]
    exclusion = current_exclusions(annotator.collection).get(annotator.pseudonym)
    return AnnotatorReport(
        pseudonym=annotator.pseudonym,
        row=row,
        standing=people.standing_name(row),
        believed=bool(people.believed[row]),
        n_counted=int(people.n_counted[row]),
        exclusion=exclusion,
        threshold=parameters.accuracy_threshold,
        watch=watch,
        profiles=everybody.profiles,
        verdict=verdict_on(
            Measured(
                int(accuracy.n_gold[row]),
                or_none(accuracy.share[row]),
                float(accuracy.low[row]),
                float(accuracy.high[row]),
            ),
            standing=people.standing_name(row),
            believed=bool(people.believed[row]),
            excluded_for=exclusion.reason if exclusion else None,
            watch=watch,
            policy=parameters,
        ),
    )


def _saved_at(annotator: Annotator, inputs: Inputs) -> Floats:
    """(n,): seconds; NaN for everybody else's judgments."""
    moments = list(Judgment.objects.filter(annotator=annotator).order_by("pk").values_list("pk", "created_at"))
    seconds = np.array([moment.timestamp() for _, moment in moments], dtype=np.float64)
    index, is_theirs = find(inputs.table.sequence, np.array([pk for pk, _ in moments], dtype=np.int64))
    every = np.full(len(index), np.nan)
    every[is_theirs] = seconds[index[is_theirs]]
    return every


def _band_names() -> list[str]:
    ends = [f"{first} to {after - 1}" for first, after in pairwise(BANDS)]
    return [*(f"Cards {end}" for end in ends), f"Cards from {BANDS[-1]}"]
