"""The same pairs under many grades, the cases: found in the runs once, measured for many cases at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.backend import NumpyBackend
from evaluation.engine.lookup import Lookup, look_up, stacked
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.rankings import rankings_of
from evaluation.engine.run import PackedRun

AT_ONCE = 500_000  # rows of all runs and cases that are measured together
UNJUDGED = -1  # the grade, in a case, of a pair that the case does not judge


@dataclass(frozen=True, eq=False)
class RunsOfPairs:
    """Runs and the pairs that some case judges. `lookups`: whose grades are indexes of `pairs`."""

    runs: tuple[PackedRun, ...]
    pairs: Qrels  # whose own grades play no part
    measure: Measure
    options: Options
    lookups: tuple[Lookup, ...] = field(repr=False)

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(run.tag for run in self.runs)

    def values(self, grade: Ints) -> Floats:
        """The value of each topic: grades (n_cases, n_pairs) → (n_cases, n_runs, n_topics).

        The values are those of `scorer.evaluate_runs` against qrels with these grades, for `max_grade` the options', or
        else the highest of all cases that come together. Grades below 0 are those of unjudged pairs. A topic without a
        judged pair counts 0. Raises `ValueError` for a grade above the top.
        """
        grade = np.maximum(grade, UNJUDGED)
        highest = int(grade.max(initial=1))
        top = self.options.max_grade or highest
        if highest > top:
            raise ValueError(f"there is grade {highest}, above the top grade {top}")
        parts = [self._values(some, top) for some in self._portions(grade)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.runs), self.pairs.n_topics))

    def means(self, grade: Ints) -> Floats:
        """The mean over topics: (n_cases, n_pairs) → (n_cases, n_runs)."""
        return means_of(self.values(grade))

    def _portions(self, grade: Ints) -> Iterator[Ints]:
        rows = sum(one.topic.size + one.in_run.size for one in self.lookups) + grade.shape[1]
        step = max(1, AT_ONCE // max(rows, 1))
        yield from (grade[first : first + step] for first in range(0, len(grade), step))

    def _values(self, grade: Ints, top: int) -> Floats:
        """Cases are seen as further topics: runs × cases × topics."""
        n_cases, n_topics = len(grade), self.pairs.n_topics
        ideal = _ideal(self.pairs.topic, grade, n_topics)
        stack = [_over_cases(one, grade, n_topics, ideal) for one in self.lookups]
        rankings = rankings_of(stacked(stack), self.options, top, NumpyBackend())
        value = self.measure.per_topic(rankings)
        return value.reshape(len(self.runs), n_cases, n_topics).transpose(1, 0, 2)


def runs_of_pairs(
    runs: Sequence[PackedRun], pairs: Qrels, measure: Measure, options: Options = DEFAULT_OPTIONS
) -> RunsOfPairs:
    """Find the pairs in the runs. Raises `ValueError` for options that say what unjudged documents count as, which is a
    change to be studied, for averaged ties, and for a measure that is no mean of a quality over topics."""
    if options.unjudged != "zero" or options.judged_only:
        raise ValueError("what unjudged documents count as is one of the changes: the options leave it open")
    if options.ties == "averaged":
        raise ValueError("ties are broken here, not averaged")
    if measure.summary != "mean" or not measure.is_quality:
        raise ValueError(f"runs are put in order by the mean of a measure of quality, not by {measure}")
    coded = replace(pairs, grade=np.arange(pairs.topic.size))
    lookups = tuple(_cut(look_up(run, coded, options, 1), measure) for run in runs)
    return RunsOfPairs(tuple(runs), pairs, measure, options, lookups)


def means_of(value: Floats) -> Floats:
    """Over the last axis, topics, added one after the other as an evaluation does."""
    mean: Floats = np.add.accumulate(value, axis=-1)[..., -1] / value.shape[-1]
    return mean


def _cut(lookup: Lookup, measure: Measure) -> Lookup:
    """Without the rows beyond the measure's cutoff, where nothing counts."""
    if measure.cutoff is None or measure.cut_is != "rank":
        return lookup
    near = lookup.rank <= measure.cutoff
    names = ("topic", "rank", "grade", "row")
    return replace(lookup, **{name: getattr(lookup, name)[near] for name in names})


def _ideal(topic: Ints, grade: Ints, n_topics: int) -> tuple[Ints, Ints]:
    """`(topic, grade)` of all pairs of all cases, by descending grade within each topic of a case."""
    span = int(grade.max(initial=0)) + 2
    key = np.sort(topic * span + (span - 2 - grade), axis=1)  # −1, unjudged, comes last
    return (key // span + np.arange(len(grade))[:, None] * n_topics).ravel(), (span - 2 - key % span).ravel()


def _over_cases(lookup: Lookup, grade: Ints, n_topics: int, ideal: tuple[Ints, Ints]) -> Lookup:
    n_cases, none = len(grade), np.zeros(0, np.int64)
    return Lookup(
        in_run=np.tile(lookup.in_run, n_cases),
        n_retrieved=np.tile(lookup.n_retrieved, n_cases),
        topic=(lookup.topic + np.arange(n_cases)[:, None] * n_topics).ravel(),
        rank=np.tile(lookup.rank, n_cases),
        grade=grade[:, lookup.grade].ravel(),
        row=none,
        ideal_topic=ideal[0],
        ideal_grade=ideal[1],
        judged_row=none,
    )
