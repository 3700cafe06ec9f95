"""Evaluated runs compared: with a baseline, or all with each other; what takes long is kept."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from annotation.kernel.store import path_of
from annotation.models import Snapshot
from annotation.text.watch import WordlessWatch
from evaluation.engine.comparison import Comparison, Design
from evaluation.engine.conclusions import compare_by
from evaluation.engine.many_runs import ManyRuns, compare_many
from evaluation.engine.measures import is_quality, parse_measure
from evaluation.engine.packed_comparison import load_many
from evaluation.engine.significance.pairs import PairsTest
from evaluation.engine.significance.resamples import N_RESAMPLES
from evaluation.engine.significance.tukey import N_PERMUTATIONS
from evaluation.leaderboard.read.evaluations import column_in, column_of
from evaluation.leaderboard.read.kept import kept
from evaluation.models import Evaluation, RunsComparison

FORM = 3  # of what is kept: a new one is compared anew
USUAL_DRAWS: Mapping[str, int] = {"tukey": N_PERMUTATIONS, "randomization": 100_000, "bootstrap": N_RESAMPLES, "t": 1}
# Draws a second, times runs · topics of Tukey's test and times pairs of the others, on a machine of two busy cores.
SPEED: Mapping[PairsTest, float] = {"tukey": 6e7, "randomization": 6e8, "bootstrap": 6e6, "t": 1.7e4}
MOST_FIGURES = 1_000_000  # of comparisons with a baseline that are kept: some 8 MB a process
AT_ONCE, MOST = 0.5, 600.0  # seconds: what a page may take, and what a worker may


@dataclass(frozen=True)
class ManyQuestion:
    """Runs evaluated against one snapshot: which of them can be told apart by a measure, and how that is tested."""

    snapshot: Snapshot
    evaluations: Sequence[Evaluation]
    measure: str
    design: Design
    seed: int

    @property
    def key(self) -> str:
        """The same in whatever order the runs come, and so are the numbers."""
        runs = sorted((each.run.tag, each.sha256) for each in self.evaluations)
        design = asdict(replace(self.design, n_draws=self.n_draws))
        parts = [FORM, runs, self.measure, design, self.seed]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def n_draws(self) -> int:
        return self.design.n_draws or USUAL_DRAWS[self.design.test]

    @property
    def seconds(self) -> float:
        """What it takes, roughly."""
        n = len(self.evaluations)
        of_each = sum(each.n_topics for each in self.evaluations) if self.design.test == "tukey" else n * (n - 1) / 2
        return self.n_draws * of_each / SPEED[self.design.test]

    @property
    def takes_long(self) -> bool:
        return self.seconds > AT_ONCE


def compared_with(design: Design, evaluations: Sequence[Evaluation], measure: str) -> Comparison:
    """Each evaluated run against the baseline of the design, as `manage.py compare`. Raises `ValueError` as `compare`
    does, and where a run lacks the measure or it is none of which more is better."""
    require_comparable(evaluations, measure)
    return _compared(design, measure, *(each.sha256 for each in evaluations))


def _figures_of(comparison: Comparison) -> int:
    """Each pair has the values of both runs and their differences."""
    return len(comparison.numbers) * (len(comparison.tags) + 3 * len(comparison.pairs))


@kept(most=MOST_FIGURES, cells=_figures_of)  # 299 runs against a baseline take a sixth of a view of 300
def _compared(design: Design, measure: str, *files: str) -> Comparison:
    values = [column_in(sha256, measure) for sha256 in files]
    comparison = compare_by([measure], values, design, rng=np.random.default_rng(0), seed=0)[0]
    for array in (comparison.value, *(one for pair in comparison.pairs for one in (pair.value, pair.difference))):
        array.setflags(write=False)  # all who ask are given the same
    return comparison


def require_comparable(evaluations: Sequence[Evaluation], measure: str) -> None:
    """Raises `ValueError`."""
    if not is_quality(measure) or parse_measure(measure).summary == "geometric":
        raise ValueError(f"No differences of {measure} are tested.")
    if lacking := [each.run.tag for each in evaluations if measure not in each.measures]:
        raise ValueError(f"Not evaluated by {measure}: {', '.join(lacking)}.")


def require_finite(question: ManyQuestion) -> None:
    """Raises `ValueError` for what would take a worker more than ten minutes."""
    if question.seconds > MOST:
        minutes = question.seconds / 60
        raise ValueError(f"That would take some {minutes:,.0f} minutes: take fewer draws, fewer runs or another test.")


def known_many(question: ManyQuestion) -> ManyRuns | None:
    """From what is kept, or compared here and now where that does not take long; None where it would.

    Raises `ValueError` as `many_compared` does, for what does not take long.
    """
    kept = kept_comparison(question)
    if kept:
        return load_many(path_of(kept.sha256))
    return None if question.takes_long else many_compared(question)


def kept_comparison(question: ManyQuestion) -> RunsComparison | None:
    return RunsComparison.objects.filter(snapshot=question.snapshot, key=question.key).first()


def many_compared(question: ManyQuestion, watch: WordlessWatch | None = None) -> ManyRuns:
    """`compare_many` of what is stored. Raises `ValueError` as it does."""
    values = [column_of(each, question.measure) for each in question.evaluations]
    return compare_many(values, question.measure, question.design, seed=question.seed, watch=watch)
