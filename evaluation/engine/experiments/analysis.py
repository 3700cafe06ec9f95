"""An experiment analysed: sample ratio, differences of every measure and treatment, guardrails."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.experiments.always_valid import EVENTS, NARROWEST_AT, START, sequence_factor
from evaluation.engine.experiments.effects import Effect, Interval, UnitMeasure, effect, pooled_theta
from evaluation.engine.experiments.guardrails import Margin, Verdict, verdict_of
from evaluation.engine.experiments.moments import Moments
from evaluation.engine.experiments.sample_ratio import THRESHOLD, SampleRatio, sample_ratio
from evaluation.engine.significance.corrections import Correction, adjusted


@dataclass(frozen=True)
class Question:
    """What is asked of a log. `measures` and `covariate` are columns, `ratios` pairs of them (numerator, denominator);
    `shares` of the variants in any unit, None for equal ones. `start`, `events`: units and events in each group from
    which always-valid intervals are shown; `narrowest_at` units of both they are nearly the narrowest."""

    control: str
    measures: tuple[str, ...] = ()
    ratios: tuple[tuple[str, str], ...] = ()
    covariate: str | None = None
    guardrails: tuple[Margin, ...] = ()
    shares: Mapping[str, float] | None = None
    alpha: float = 0.05
    correction: Correction = "holm"
    threshold: float = THRESHOLD
    start: int = START
    events: int = EVENTS
    narrowest_at: int = NARROWEST_AT

    def __post_init__(self) -> None:
        if not (self.measures or self.ratios or self.guardrails):
            raise ValueError("name at least one measure, ratio or guardrail")
        if self.covariate in self.measured:
            raise ValueError(f"{self.covariate} is a measure: a covariate was measured before assignment")
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha lies between 0 and 1, not {self.alpha:g}")
        if min(self.start, self.narrowest_at) < 2 or self.events < 0:
            raise ValueError("start and narrowest_at are at least 2 units, events at least 0")

    @property
    def measured(self) -> list[str]:
        """Columns of measures, ratios and guardrails, each once."""
        names = [*self.measures, *(name for pair in self.ratios for name in pair)]
        return list(dict.fromkeys([*names, *(margin.measure for margin in self.guardrails)]))

    @property
    def columns(self) -> list[str]:
        """All columns of numbers that it needs, each once."""
        return [*self.measured, *([self.covariate] if self.covariate else [])]


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


def analyse(groups: Mapping[str, Moments], question: Question) -> Analysis:
    """`groups`: moments by variant of the columns of the question, in their order.

    Raises `ValueError` where the control has no unit, for fewer than two variants, fewer than 2 units of one, sums that
    overflow, measures that do not vary, and shares of other variants.
    """
    if question.control not in groups:
        raise ValueError(f"no unit has the variant {question.control}; there are {', '.join(sorted(groups))}")
    order = [question.control, *sorted(groups.keys() - {question.control})]
    ratio = sample_ratio({name: groups[name].n for name in order}, question.shares, threshold=question.threshold)
    if not all(np.isfinite(one.scatter).all() for one in groups.values()):
        raise ValueError("values are too large: their squares cannot be added up")
    treatments, place = order[1:], {name: i for i, name in enumerate(question.columns)}
    measured = _measuring(groups, question, place)
    compared = [
        (measure, name, measured(measure, name)) for measure in _measures(question, place) for name in treatments
    ]
    p = adjusted([found.p for _, _, found in compared], question.correction)
    comparisons = []
    for (measure, name, found), each in zip(compared, p.tolist(), strict=True):
        events, sequence = _at_every_look(groups[question.control], groups[name], question, measure, found)
        comparisons.append(Comparison(measure.name, name, found, each, sequence, events))
    return Analysis(
        question=question,
        ratio=ratio,
        comparisons=tuple(comparisons),
        guardrails=tuple(
            _guardrail(margin, name, measured(UnitMeasure(margin.measure, place[margin.measure]), name))
            for margin in question.guardrails
            for name in treatments
        ),
        covariate_p=_covariate_p(groups, question, place, treatments),
    )


def _measures(question: Question, place: Mapping[str, int]) -> list[UnitMeasure]:
    means = [UnitMeasure(name, place[name]) for name in dict.fromkeys(question.measures)]
    ratios = dict.fromkeys(question.ratios)
    return means + [UnitMeasure(f"{above}/{below}", place[above], place[below]) for above, below in ratios]


def _measuring(
    groups: Mapping[str, Moments], question: Question, place: Mapping[str, int]
) -> Callable[[UnitMeasure, str], Effect]:
    covariate = place[question.covariate] if question.covariate else None

    def measured(measure: UnitMeasure, variant: str) -> Effect:
        theta = None if covariate is None else pooled_theta(measure, covariate, groups.values())
        pair = groups[question.control], groups[variant]
        return effect(measure, *pair, alpha=question.alpha, covariate=covariate, theta=theta)

    return measured


def _at_every_look(
    control: Moments, treatment: Moments, question: Question, measure: UnitMeasure, found: Effect
) -> tuple[int, Interval | None]:
    """Events in the smaller group, and the always-valid interval; None before its start."""
    events = min(control.events(measure.column), treatment.events(measure.column))
    if min(control.n, treatment.n) < question.start or events < question.events:
        return events, None
    factor = sequence_factor(control.n + treatment.n, alpha=question.alpha, narrowest_at=question.narrowest_at)
    reach = found.error * factor
    return events, Interval(found.difference - reach, found.difference + reach)


def _guardrail(margin: Margin, variant: str, found: Effect) -> Guardrail:
    return Guardrail(margin, variant, found, verdict_of(margin, found))


def _covariate_p(
    groups: Mapping[str, Moments], question: Question, place: Mapping[str, int], treatments: Sequence[str]
) -> dict[str, float]:
    if question.covariate is None:
        return {}
    measure, control = UnitMeasure(question.covariate, place[question.covariate]), groups[question.control]
    return {name: effect(measure, control, groups[name], alpha=question.alpha).p for name in treatments}
