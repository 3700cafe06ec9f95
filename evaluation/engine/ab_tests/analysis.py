"""An experiment analysed: sample ratio, differences of every measure and treatment, guardrails, segments, looks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypedDict

import numpy as np

from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.ab_tests.always_valid import sequence_factor
from evaluation.engine.ab_tests.bootstrap import Clusters, Replicates, cluster_effect, replicates_of
from evaluation.engine.ab_tests.effects import Effect, Interval, UnitMeasure, effect, pooled_theta
from evaluation.engine.ab_tests.guardrails import Margin, Verdict, verdict_of
from evaluation.engine.ab_tests.looks import Path, cumulated, path_of
from evaluation.engine.ab_tests.moments import Moments
from evaluation.engine.ab_tests.question import Question
from evaluation.engine.ab_tests.sample_ratio import SampleRatio, sample_ratio
from evaluation.engine.ab_tests.segments import LEAST, Interaction, Segment, segments_of
from evaluation.engine.significance.corrections import adjusted


@dataclass(frozen=True)
class Units:
    """What a log's units are read into. `groups`: moments by variant of the columns of the question, in their order;
    `segments`: the same by column and segment; `looks`: of the units that came in each time, by its end; `clusters`:
    sums by variant, `cluster_segments` by column, segment and variant, each cluster in one segment of a column. Empty
    where they are not asked for."""

    groups: Mapping[str, Moments]
    segments: Mapping[str, Mapping[str, Mapping[str, Moments]]] = field(default_factory=dict)
    looks: Mapping[float, Mapping[str, Moments]] = field(default_factory=dict)
    clusters: Mapping[str, Clusters] = field(default_factory=dict)
    cluster_segments: Mapping[str, Mapping[str, Mapping[str, Clusters]]] = field(default_factory=dict)
    times_are_dates: bool = False


@dataclass(frozen=True)
class Comparison:
    """A measure of one treatment beside the control. `p_adjusted` by the correction over all measures and treatments;
    `always_valid` is None before its start, of which `n_events` (the rarer group's) may be the reason."""

    measure: str
    variant: str
    effect: Effect
    p_adjusted: float
    always_valid: Interval | None
    n_events: int


@dataclass(frozen=True)
class Guardrail:
    """A measure that must not be harmed, of one treatment."""

    margin: Margin
    variant: str
    effect: Effect
    verdict: Verdict


@dataclass(frozen=True)
class Analysis:
    """`covariate_p`: by treatment, of a difference in the covariate, which assignment by chance does not make."""

    question: Question
    ratio: SampleRatio
    comparisons: tuple[Comparison, ...]
    guardrails: tuple[Guardrail, ...]
    covariate_p: dict[str, float] = field(default_factory=dict)
    segments: tuple[Segment, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    paths: tuple[Path, ...] = ()
    times_are_dates: bool = False


def analyse(units: Units, question: Question, watch: WordlessWatch = say_nothing) -> Analysis:
    """`watch` is told how many replicates of how many are drawn.

    Raises `ValueError` where the control has no unit, for fewer than two variants, fewer than 2 units or clusters of
    one, sums that overflow, measures that do not vary, shares of other variants, and more than 1,000 looks.
    """
    groups = units.groups
    if question.control not in groups:
        raise ValueError(f"no unit has the variant {question.control}; there are {', '.join(sorted(groups))}")
    if not all(np.isfinite(one.scatter).all() for one in groups.values()):
        raise ValueError("values are too large: their squares cannot be added up")
    order = [question.control, *sorted(groups.keys() - {question.control})]
    n = {name: (units.clusters[name] if question.cluster else groups[name]).n for name in order}
    ratio = sample_ratio(n, question.shares, threshold=question.threshold)
    parts = _Parts(units, question, _drawn(units, question, order, watch) if question.cluster else {})
    to_compare = [(measure, name) for measure in parts.measures for name in order[1:]]
    counted = units.cluster_segments if question.cluster else units.segments
    segments, interactions = segments_of(
        {
            column: {name: {v: one.n for v, one in by.items()} for name, by in of.items()}
            for column, of in counted.items()
        },
        to_compare,
        question.control,
        parts.in_segment,
        question.correction,
        noun="clusters" if question.cluster else "units",
    )
    stages = cumulated(units.looks)
    return Analysis(
        question=question,
        ratio=ratio,
        comparisons=_comparisons(parts, to_compare),
        guardrails=tuple(parts.guardrail(margin, name) for margin in question.guardrails for name in order[1:]),
        covariate_p=parts.covariate_p(order[1:]),
        segments=segments,
        interactions=interactions,
        paths=tuple(
            path_of(stages, measure, (question.control, name), parts.look) for measure, name in to_compare if stages
        ),
        times_are_dates=units.times_are_dates,
    )


Draws: TypeAlias = Mapping[tuple[str, ...], Replicates]  # of a variant; of a column, segment and variant


def _drawn(units: Units, question: Question, order: Sequence[str], watch: WordlessWatch) -> Draws:
    """Of all clusters, then of those of each segment that has enough, from one stream of numbers."""
    clusters: dict[tuple[str, ...], Clusters] = {(name,): units.clusters[name] for name in order}
    for column, by_segment in units.cluster_segments.items():
        for segment, by_variant in sorted(by_segment.items()):
            some = {(column, segment, name): by_variant[name] for name in order if name in by_variant}
            clusters |= {key: one for key, one in some.items() if one.n >= LEAST}
    rng, total = np.random.default_rng(question.seed), question.replicates * len(clusters)
    drawn = dict[tuple[str, ...], Replicates]()

    def watch_all(done: int) -> None:
        watch(len(drawn) * question.replicates + done, total)

    for key, one in clusters.items():
        drawn[key] = replicates_of(one, rng, n_replicates=question.replicates, watch=watch_all)
    return drawn


def _comparisons(parts: "_Parts", to_compare: Iterable[tuple[UnitMeasure, str]]) -> tuple[Comparison, ...]:
    differences = [
        (measure, name, parts.difference(measure, name, covariate=parts.question.covariate))
        for measure, name in to_compare
    ]
    p = adjusted([each.p for _, _, each in differences], parts.question.correction).tolist()
    return tuple(
        Comparison(measure.name, name, each, p_adjusted, *parts.always_valid(measure, name, each))
        for (measure, name, each), p_adjusted in zip(differences, p, strict=True)
    )


class _Options(TypedDict):
    alpha: float
    covariate: int | None
    theta: float | None


@dataclass(frozen=True)
class _Parts:
    """Differences as the question has them, in all units or some."""

    units: Units
    question: Question
    drawn: Draws

    @property
    def column_of(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.question.columns)}

    @property
    def measures(self) -> list[UnitMeasure]:
        means = [UnitMeasure(name, self.column_of[name]) for name in dict.fromkeys(self.question.measures)]
        ratios = dict.fromkeys(self.question.ratios)
        return means + [
            UnitMeasure(f"{above}/{below}", self.column_of[above], self.column_of[below]) for above, below in ratios
        ]

    def difference(self, measure: UnitMeasure, variant: str, *, covariate: str | None) -> Effect:
        """In all units."""
        return self._difference(self.units.groups, (), measure, variant, covariate=covariate)

    def in_segment(self, column: str, segment: str, measure: UnitMeasure, variant: str) -> Effect:
        """With the covariate of the question, θ as in the segment."""
        groups = self.units.segments[column][segment]
        return self._difference(groups, (column, segment), measure, variant, covariate=self.question.covariate)

    def _difference(
        self,
        groups: Mapping[str, Moments],
        draws_key: tuple[str, ...],
        measure: UnitMeasure,
        variant: str,
        *,
        covariate: str | None,
    ) -> Effect:
        """`draws_key` leads to the draws of clusters, where there are any."""
        options, control = self._options(groups, measure, covariate), self.question.control
        pair = groups[control], groups[variant]
        if not self.drawn:
            return effect(measure, *pair, **options)
        draws = self.drawn[*draws_key, control], self.drawn[*draws_key, variant]
        return cluster_effect(measure, pair, draws, **options)

    def always_valid(self, measure: UnitMeasure, variant: str, effect: Effect) -> tuple[Interval | None, int]:
        """The interval, None before its start, and the events of the smaller group."""
        pair, groups = (self.question.control, variant), self.units.groups
        events, n = _events(groups, measure, pair), [groups[name].n for name in pair]
        if self.drawn:
            clusters = [self.units.clusters[name] for name in pair]
            events, n = min(events, *(one.events(measure.column) for one in clusters)), [one.n for one in clusters]
        return self._sequence(effect, n, events), events

    def look(self, groups: Mapping[str, Moments], measure: UnitMeasure, variant: str) -> tuple[Effect, Interval] | None:
        """At one time: the difference and its always-valid interval; None before the start."""
        pair = self.question.control, variant
        events, n = _events(groups, measure, pair), [groups[name].n for name in pair]
        if min(n) < self.question.start or events < self.question.events:
            return None
        try:
            effect = self._difference(groups, (), measure, variant, covariate=self.question.covariate)
        except ValueError:  # what does not vary yet
            return None
        sequence = self._sequence(effect, n, events)
        return (effect, sequence) if sequence else None

    def guardrail(self, margin: Margin, variant: str) -> Guardrail:
        measure = UnitMeasure(margin.measure, self.column_of[margin.measure])
        effect = self.difference(measure, variant, covariate=self.question.covariate)
        return Guardrail(margin, variant, effect, verdict_of(margin, effect))

    def covariate_p(self, treatments: Iterable[str]) -> dict[str, float]:
        name = self.question.covariate
        if name is None:
            return {}
        measure = UnitMeasure(name, self.column_of[name])
        return {each: self.difference(measure, each, covariate=None).p for each in treatments}

    def _options(self, groups: Mapping[str, Moments], measure: UnitMeasure, covariate: str | None) -> _Options:
        at = self.column_of[covariate] if covariate else None
        theta = None if at is None else pooled_theta(measure, at, groups.values())
        return {"alpha": self.question.alpha, "covariate": at, "theta": theta}

    def _sequence(self, effect: Effect, n: Sequence[int], events: int) -> Interval | None:
        question = self.question
        if min(n) < question.start or events < question.events:
            return None
        reach = effect.error * sequence_factor(sum(n), alpha=question.alpha, narrowest_at=question.narrowest_at)
        return Interval(effect.difference - reach, effect.difference + reach)


def _events(groups: Mapping[str, Moments], measure: UnitMeasure, pair: Sequence[str]) -> int:
    """Of the variant that has fewer."""
    return min(groups[name].events(measure.column) for name in pair)
