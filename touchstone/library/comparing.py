"""`ts.compare` and what it gives. Apart from `ts.evaluate`, which starts sooner without the statistics."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from evaluation.engine.comparison import Comparison, Design, check_comparable
from evaluation.engine.conclusions import compare_by
from evaluation.engine.order_agreement import OrderAgreement, order_agreements
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.pairs import PairsTest
from evaluation.formats.comparison import COLUMNS, FORMATS, rows_of
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.results import frame, name_among, written_as
from touchstone.library.scoring import Reading, evaluated
from touchstone.library.sources import QrelsSource, RunSources

if TYPE_CHECKING:
    import pandas
    import polars

COMPARED = ("nDCG@10", "AP")


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Sequence[Comparison]):
    """Runs compared by each measure; `comparisons["nDCG@10"].pairs` has difference, interval, p and effects, and
    `.conclusion` says in sentences what they show.

    `agreement` says how far two measures put three runs or more in one order. `seed` is None where the generator was
    the caller's.
    """

    measures: tuple[Comparison, ...]
    agreement: tuple[OrderAgreement, ...]
    notes: tuple[str, ...] = ()
    seed: int | None = field(default=None)

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, which: Any) -> Any:
        """By measure, or at a place. Raises `KeyError` for a measure that was not compared."""
        if isinstance(which, int | slice):
            return self.measures[which]
        names = [one.measure for one in self.measures]
        return self.measures[names.index(name_among(which, names))]

    def to_text(self, form: str = "table") -> str:
        """As `table`, `csv`, `json` or `latex`: what the command `compare` writes."""
        return written_as(FORMATS, form)(self.measures, self.agreement, self.seed)

    def to_pandas(self) -> "pandas.DataFrame":
        """A row a measure and pair, by the columns of the command's CSV."""
        rows: pandas.DataFrame = frame("pandas", self._columns())
        return rows

    def to_polars(self) -> "polars.DataFrame":
        """As `to_pandas`."""
        table: polars.DataFrame = frame("polars", self._columns(), strict=False)
        return table

    def _columns(self) -> dict[str, list[object]]:
        rows = [row for one in self.measures for row in rows_of(one)]
        return {name: [row[name] for row in rows] for name in COLUMNS}

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")


def compare(
    qrels: QrelsSource,
    runs: RunSources,
    measures: MeasureLike | Iterable[MeasureLike] = COMPARED,
    *,
    test: PairsTest = "randomization",
    correction: Correction = "holm",
    interval: Method = "t",
    confidence: float = 0.95,
    alpha: float = 0.05,
    baseline: str | None = None,
    n_draws: int | None = None,
    threshold: float = 0.0,
    minimum_difference: float | None = None,
    power: float = 0.8,
    rng: int | np.random.Generator = 0,
    **reading: Unpack[Reading],
) -> Comparisons:
    """Compare runs pair by pair: differences with intervals, tests corrected for their number, effect sizes.

    `qrels`, `runs` and `measures` as in `evaluate`. `baseline` is a tag: every other run against it instead of all
    pairs. `minimum_difference` is the smallest difference that would matter, in the unit of the measure; it gives the
    power of these topics, and how many are needed for `power`. Values that differ by no more than `threshold` are equal
    where topics are counted. `rng` is a seed or a generator, of all that is drawn.
    docs/statistics.md says what each choice means and which papers it follows.

    Raises as `evaluate` does, and `ValueError` for fewer than two runs or topics, a geometric mean, or a baseline that
    is not there.
    """
    chosen = measures_of(measures)
    check_comparable(chosen)
    design = Design(
        test=test,
        correction=correction,
        interval=interval,
        confidence=confidence,
        alpha=alpha,
        baseline=baseline,
        n_draws=n_draws,
        threshold=threshold,
        minimum=minimum_difference,
        power=power,
    )
    evaluations, notes = evaluated(qrels, runs, chosen, reading)
    seed, generator = (None, rng) if isinstance(rng, np.random.Generator) else (rng, np.random.default_rng(rng))
    comparisons = tuple(compare_by(map(str, chosen), evaluations, design, rng=generator, seed=seed or 0))
    return Comparisons(comparisons, tuple(order_agreements(comparisons)), notes, seed)
