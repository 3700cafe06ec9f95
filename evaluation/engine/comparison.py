"""Comparing runs by one measure: every pair with its difference, interval, test and effect size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from annotation.text.watch import WordlessWatch
from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Measure
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.all_pairs import PairError, compare_pairs
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.discriminative_power import DiscriminativePower, discriminative_power
from evaluation.engine.significance.effect import EffectSize, effect_sizes
from evaluation.engine.significance.inputs import Rng, generator, is_constant, paired_difference
from evaluation.engine.significance.intervals.mean import mean_interval
from evaluation.engine.significance.intervals.result import MeanInterval, Method
from evaluation.engine.significance.pairs import Pairs, PairsTest, pairs_of
from evaluation.engine.significance.power import PairedDesign, paired_power, pilot_deviation, topics_needed
from evaluation.engine.significance.tukey import N_PERMUTATIONS, tukey_hsd
from evaluation.engine.value_range import difference_within


@dataclass(frozen=True, kw_only=True)
class Design:
    """How runs are compared; see the functions of `significance` for what each choice means.

    `minimum` is the smallest difference that would matter, in the unit of the measure: named beforehand, it gives the
    power of these topics and the number of topics that `power` needs. `n_draws` None: what the test takes by default.
    """

    test: PairsTest = "randomization"
    correction: Correction = "holm"
    interval: Method = "t"
    confidence: float = 0.95
    alpha: float = 0.05
    baseline: str | None = None  # a tag: every other run against it
    n_draws: int | None = None
    minimum: float | None = None
    threshold: float = 0.0  # runs whose values differ by no more are equal on a topic
    power: float = 0.8

    def __post_init__(self) -> None:
        """Raise `ValueError` for a smallest difference that is none, and for a threshold below 0."""
        if not self.threshold >= 0:
            raise ValueError(f"the threshold of equal values is 0 or above, not {self.threshold:g}")
        if self.minimum is not None and not self.minimum > 0:
            raise ValueError(f"the minimum difference is above 0, not {self.minimum:g}")


@dataclass(frozen=True)
class Pair:
    """The first run against the second; differences are first minus second."""

    first: str
    second: str
    interval: MeanInterval
    p: float
    adjusted: float  # p after the correction
    n_better: int  # topics where the first run is the better, by more than the threshold
    n_equal: int
    n_worse: int
    power: PairedDesign | None  # of these topics for the minimum difference; None where none was named, or none varies
    needed: PairedDesign | None  # topics needed for it
    value: Floats = field(repr=False, compare=False)  # (n_topics, 2), of the first and the second run
    difference: Floats = field(repr=False, compare=False)  # (n_topics,)

    @cached_property
    def effects(self) -> tuple[EffectSize, ...]:
        """d_z, d, g; computed when asked for, as their intervals take longer than all the rest."""
        return effect_sizes(self.value[:, 0], self.value[:, 1], confidence=self.interval.confidence)


@dataclass(frozen=True)
class Comparison:
    """Runs compared by one measure over the same topics, and what the test rests on.

    `conclusion` is what `conclusions.compare_by` says of it, in sentences; empty until then.
    """

    measure: str
    tags: tuple[str, ...]
    numbers: tuple[str, ...] = field(repr=False)
    mean: tuple[float, ...]
    pairs: tuple[Pair, ...]
    test: PairsTest
    correction: Correction
    n_draws: int
    exact: bool
    design: Design
    apart: DiscriminativePower = field(compare=False)
    value: Floats = field(repr=False, compare=False)  # (n_topics, n_runs)
    tests: Pairs = field(repr=False, compare=False)
    n_missing: tuple[int, ...] = field(repr=False)  # of the topics, how many each run lacks, and counts 0 for
    conclusion: tuple[str, ...] = field(default=(), repr=False)


def check_comparable(measures: Sequence[Measure]) -> None:
    """Raise `ValueError` for measures whose differences over topics do not add up to that of their figures."""
    refused = [str(one) for one in measures if one.summary == "geometric"]
    if refused:
        raise ValueError(f"no differences of geometric means ({', '.join(refused)}): compare AP or bpref")


def compare(
    evaluations: Sequence[MeasureValues], measure: str, design: Design, *, rng: Rng, watch: WordlessWatch | None = None
) -> Comparison:
    """Compare evaluated runs by a measure over the topics that all of them have.

    `watch` is told of Tukey's draws, then of the pairs whose intervals there are.

    Raises `ValueError` for fewer than two runs or topics, two runs of one tag, a baseline or measure that is not there,
    and where test or interval cannot answer.
    """
    tags, numbers, value = table_of(evaluations, measure)
    if design.baseline is not None and design.baseline not in tags:
        raise ValueError(f"no run has the tag {design.baseline!r}; there are {', '.join(tags)}")
    draws = generator(rng)
    try:
        pairs_test = tested_pairs(value, tags, design, draws, watch)
        positions = _positions(len(pairs_test), watch)
        each = (_pair(value, tags, pairs_test, at, design=design, rng=draws) for at in positions)
        pairs = tuple(replace(one, interval=difference_within(one.interval, measure)) for one in each)
    except ValueError as fault:
        raise ValueError(f"{measure}, runs {', '.join(tags)}: {fault}") from fault
    return Comparison(
        measure=measure,
        tags=tags,
        numbers=numbers,
        mean=tuple(np.mean(value, axis=0).tolist()),
        pairs=pairs,
        test=pairs_test.test,
        correction=pairs_test.correction,
        n_draws=pairs_test.n_draws,
        exact=pairs_test.exact,
        design=design,
        apart=discriminative_power(pairs_test, alpha=design.alpha),
        value=value,
        tests=pairs_test,
        n_missing=missing_of(evaluations, numbers),
    )


def table_of(evaluations: Sequence[MeasureValues], measure: str) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """`(tags, numbers, value)`, the values (n_topics, n_runs) of the topics that every run was averaged over."""
    tags = tuple(one.tag for one in evaluations)
    if len(set(tags)) < len(tags):
        raise ValueError(f"two runs have the same tag: {', '.join(sorted({t for t in tags if tags.count(t) > 1}))}")
    if len(tags) < 2:
        raise ValueError("a comparison needs two runs")
    shared = set.intersection(*(set(one.numbers) for one in evaluations))
    numbers = tuple(number for number in evaluations[0].numbers if number in shared)
    if len(numbers) < 2:
        raise ValueError(f"a comparison needs two topics that all runs have; there are {len(numbers)}")
    columns = []
    for one in evaluations:
        kept = [number in shared for number in one.numbers]
        columns.append(one.value[kept, one.measures.index(measure)])
    return tags, numbers, np.stack(columns, axis=1)


def missing_of(evaluations: Sequence[MeasureValues], numbers: Sequence[str]) -> tuple[int, ...]:
    """Of these topics, how many each run has no document for."""
    among = set(numbers)
    return tuple(len(among.intersection(one.missing)) for one in evaluations)


def _positions(n_pairs: int, watch: WordlessWatch | None) -> Iterator[int]:
    for at in range(n_pairs):
        if watch:
            watch(at, n_pairs)
        yield at


def tested_pairs(
    value: Floats, tags: tuple[str, ...], design: Design, rng: np.random.Generator, watch: WordlessWatch | None
) -> Pairs:
    """The pairs of runs in `value`, (n_topics, n_runs), by the design's test and correction; errors as the test's.
    `watch`: of the draws of Tukey's test, the one that may take long."""
    if design.test != "tukey":
        baseline = None if design.baseline is None else tags.index(design.baseline)
        correction, n_draws = design.correction, design.n_draws
        try:
            return compare_pairs(
                value, test=design.test, correction=correction, baseline=baseline, n_draws=n_draws, rng=rng
            )
        except PairError as error:
            raise ValueError(f"{tags[error.first]} and {tags[error.second]}: {error.reason}") from error
    if design.baseline is not None:
        raise ValueError("Tukey's test compares all pairs: it takes no baseline")
    return _tukey(value, tags, N_PERMUTATIONS if design.n_draws is None else design.n_draws, rng, watch)


def _tukey(
    value: Floats, tags: tuple[str, ...], n_permutations: int, rng: np.random.Generator, watch: WordlessWatch | None
) -> Pairs:
    """Drawn by the order of the tags: p does not change where the same runs come in another order."""
    order = sorted(range(len(tags)), key=tags.__getitem__)
    pairs = tukey_hsd(value[:, order], n_permutations=n_permutations, rng=rng, watch=watch)
    first, second = pairs_of(len(tags))
    at = np.argsort(order)
    p = pairs.square(pairs.p)[at[first], at[second]]
    difference = value.mean(axis=0)[first] - value.mean(axis=0)[second]
    return replace(pairs, first=first, second=second, mean_difference=difference, statistic=difference, p=p, adjusted=p)


def _pair(
    value: Floats, tags: tuple[str, ...], pairs_test: Pairs, at: int, *, design: Design, rng: np.random.Generator
) -> Pair:
    i, j = int(pairs_test.first[at]), int(pairs_test.second[at])
    difference = paired_difference(value[:, i], value[:, j])
    power, needed = _planned(difference, design)
    return Pair(
        first=tags[i],
        second=tags[j],
        interval=_interval(difference, design, rng),
        p=float(pairs_test.p[at]),
        adjusted=float(pairs_test.adjusted[at]),
        n_better=int(np.count_nonzero(difference > design.threshold)),
        n_equal=int(np.count_nonzero(np.abs(difference) <= design.threshold)),
        n_worse=int(np.count_nonzero(difference < -design.threshold)),
        power=power,
        needed=needed,
        value=value[:, [i, j]],
        difference=difference,
    )


def _interval(difference: Floats, design: Design, rng: np.random.Generator) -> MeanInterval:
    """By the method asked for; differences that do not vary have only Student's, of width 0."""
    method: Method = "t" if is_constant(difference) else design.interval
    return mean_interval(difference, method=method, confidence=design.confidence, rng=rng)


def _planned(difference: Floats, design: Design) -> tuple[PairedDesign | None, PairedDesign | None]:
    """Power for the named difference; of the data only how much differences vary enters."""
    if design.minimum is None or is_constant(difference):
        return None, None
    deviation = pilot_deviation(difference).deviation
    parameters = {"difference": design.minimum, "deviation": deviation, "alpha": design.alpha}
    return paired_power(difference.size, **parameters), topics_needed(power=design.power, **parameters)
