"""One question about an experiment's size, and its answer: what page, API and command all ask.

Three designs. `groups`: units are assigned to one of two groups. `topics`: two systems on the same
topics, paired. `interval`: one mean or rate, with an interval of a wanted width. Of the size, the
difference and the power (of the size and the width) one is found from the others.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from evaluation.engine.planning.two_groups import (
    design_effect,
    group_power,
    group_size,
    rate_deviation,
    smallest_group_difference,
)
from evaluation.engine.planning.widths import large_half_width, large_interval_size, mean_half_width, mean_interval_size
from evaluation.engine.significance.power import checked_levels, paired_power, smallest_difference, topics_needed

Design: TypeAlias = Literal["groups", "topics", "interval"]
Solved: TypeAlias = Literal["n", "difference", "power", "width"]

POWER = 0.8
FEW_CLUSTERS, FEW_UNITS = 20, 30


@dataclass(frozen=True)
class Question:
    """What is known. Numbers in the unit of the measure; None: not said.

    `rate`: share of units with the outcome, which gives the deviation √(p (1 − p)) in both groups; else `deviation`,
    for topics that of the differences. `relative`: the difference as a share of the rate or of `baseline`. `n`: units
    of the first group, topics, or units. `n_tests`: how many tests share alpha (Bonferroni). `ratio`: the second group
    by the first. Clusters: mean size, correlation within, coefficient of variation of the sizes.
    """

    design: Design = "groups"
    rate: float | None = None
    baseline: float | None = None
    deviation: float | None = None
    difference: float | None = None
    relative: float | None = None
    width: float | None = None
    n: int | None = None
    power: float | None = None
    alpha: float = 0.05
    n_tests: int = 1
    ratio: float = 1.0
    cluster_size: float = 1.0
    correlation: float = 0.0
    size_variation: float = 0.0


@dataclass(frozen=True)
class Plan:
    """`solved` says which of the numbers is the answer; the others are those of the question.

    `n_second` is 0 where there is one group; `n_clusters` in the first group, 0 without clusters. `width` is the ± of
    an interval, `power` and `difference` NaN there.
    """

    question: Question
    solved: Solved
    n: int
    n_second: int
    n_clusters: int
    difference: float
    relative: float | None
    power: float
    width: float
    deviation: float
    alpha: float  # of each test
    design_effect: float
    notes: tuple[str, ...]


def plan(question: Question) -> Plan:
    """The answer. Raises `ValueError` where the question says too little, too much, or what cannot be."""
    if question.design not in get_args(Design):
        raise ValueError(f"a design is one of {', '.join(get_args(Design))}, not {question.design!r}")
    _check(question)
    return _interval(question) if question.design == "interval" else _comparison(question)


def power_at(plan: Plan, n: int) -> float:
    """The power that the plan's difference would have with n units or topics; of an interval, its half-width."""
    effective = n / plan.design_effect
    if plan.question.design == "interval":
        return _width_at(plan.question, plan.deviation, effective)
    return _power_at(plan.question, plan.deviation, plan.difference, effective, plan.alpha)


def _comparison(question: Question) -> Plan:
    deviation, difference = _deviation(question), _difference(question)
    alpha = question.alpha / question.n_tests
    effect = _design_effect(question)
    n, power, solved = question.n, question.power, _solved(question, difference)
    if difference is None:
        assert n is not None
        power = POWER if power is None else power
        difference = _smallest(question, deviation, n / effect, alpha, power)
    else:
        if n is None:
            n = math.ceil(_needed(question, deviation, difference, alpha) * effect)
        power = _power_at(question, deviation, difference, n / effect, alpha)
    relative = difference / base if (base := _base(question)) else None
    return _plan(question, solved, n, effect, difference=difference, relative=relative, power=power)


def _interval(question: Question) -> Plan:
    deviation, effect = _deviation(question), _design_effect(question)
    if (question.n is None) == (question.width is None):
        raise ValueError("name either the size or the half-width of the interval: the other is the answer")
    n = question.n
    if n is None:
        assert question.width is not None
        size = large_interval_size if question.rate is not None else mean_interval_size
        n = math.ceil(size(question.width, deviation, confidence=_confidence(question)) * effect)
    width = _width_at(question, deviation, n / effect)
    return _plan(question, "n" if question.n is None else "width", n, effect, width=width)


def _plan(
    question: Question,
    solved: Solved,
    n: int,
    effect: float,
    *,
    difference: float = math.nan,
    relative: float | None = None,
    power: float = math.nan,
    width: float = math.nan,
) -> Plan:
    clustered = question.cluster_size > 1
    n_clusters = math.ceil(n / question.cluster_size) if clustered else 0
    return Plan(
        question=question,
        solved=solved,
        n=n,
        n_second=math.ceil(round(n * question.ratio, 9)) if question.design == "groups" else 0,
        n_clusters=n_clusters,
        difference=difference,
        relative=relative,
        power=power,
        width=width,
        deviation=_deviation(question),
        alpha=question.alpha / question.n_tests,
        design_effect=effect,
        notes=tuple(_notes(question, n, n_clusters, difference)),
    )


def _notes(question: Question, n: int, n_clusters: int, difference: float) -> list[str]:
    notes = []
    if question.rate is not None and difference > max(question.rate, 1 - question.rate):
        notes.append(f"no rate is {difference:.4g} away from {question.rate:g}: so few units show nothing")
    if question.n is None and (more := _more_for_second(question, difference)) > 1.05 * n:
        notes.append(
            f"the second group's rate of {(question.rate or 0) + difference:.4g} varies more than today's, whose "
            f"deviation the formula takes for both: {more:,} units by the deviation of each"
        )
    if n_clusters and n_clusters < FEW_CLUSTERS:
        notes.append(f"few clusters ({n_clusters}): the formula counts on at least {FEW_CLUSTERS} in each group")
    events = n * min(question.rate, 1 - question.rate) if question.rate is not None else math.inf
    if events < FEW_UNITS:
        notes.append(f"few events (about {events:.0f}): the normal approximation counts on at least {FEW_UNITS}")
    elif question.design == "groups" and n < FEW_UNITS:
        notes.append(f"few units ({n}): the normal approximation counts on at least {FEW_UNITS} in each group")
    return notes


def _more_for_second(question: Question, difference: float) -> int:
    """Units of the first group where the second one has the deviation of its own rate; 0 where that is none."""
    if question.design != "groups" or question.rate is None or not 0 < question.rate + difference < 1:
        return 0
    power = POWER if question.power is None else question.power
    size = group_size(
        difference,
        rate_deviation(question.rate),
        second_deviation=rate_deviation(question.rate + difference),
        ratio=question.ratio,
        alpha=question.alpha / question.n_tests,
        power=power,
    )
    return math.ceil(size * _design_effect(question))


def _solved(question: Question, difference: float | None) -> Solved:
    if question.n is None and difference is None:
        raise ValueError("name the difference, or the size: one of them is needed to find the other")
    if question.n is None:
        return "n"
    if difference is None:
        return "difference"
    if question.power is not None:
        raise ValueError("size, difference and power are all named: leave out the one that is to be found")
    return "power"


def _needed(question: Question, deviation: float, difference: float, alpha: float) -> int:
    power = POWER if question.power is None else question.power
    if question.design == "topics":
        return topics_needed(difference=difference, deviation=deviation, alpha=alpha, power=power).n_topics
    return group_size(difference, deviation, ratio=question.ratio, alpha=alpha, power=power)


def _power_at(question: Question, deviation: float, difference: float, n: float, alpha: float) -> float:
    """`n` is the effective size, of independent units."""
    if question.design == "topics":
        return paired_power(_whole(n), difference=difference, deviation=deviation, alpha=alpha).power
    return group_power(n, difference, deviation, ratio=question.ratio, alpha=alpha)


def _smallest(question: Question, deviation: float, n: float, alpha: float, power: float) -> float:
    if question.design == "topics":
        difference = smallest_difference(_whole(n), deviation=deviation, alpha=alpha, power=power).difference
        assert difference is not None
        return difference
    return smallest_group_difference(n, deviation, ratio=question.ratio, alpha=alpha, power=power)


def _width_at(question: Question, deviation: float, n: float) -> float:
    confidence = _confidence(question)
    if question.rate is not None:
        return large_half_width(n, deviation, confidence=confidence)
    return mean_half_width(_whole(n), deviation, confidence=confidence)


def _whole(n: float) -> int:
    """Topics of an effective size: a part of one is none."""
    return math.floor(n + 1e-9)


def _confidence(question: Question) -> float:
    return 1 - question.alpha / question.n_tests


def _deviation(question: Question) -> float:
    if (question.rate is None) == (question.deviation is None):
        raise ValueError("name either a rate or a standard deviation")
    if question.rate is not None:
        if question.design == "topics":
            raise ValueError("paired topics need the standard deviation of their differences, not a rate")
        return rate_deviation(question.rate)
    assert question.deviation is not None
    return question.deviation


def _base(question: Question) -> float | None:
    return question.rate if question.rate is not None else question.baseline


def _difference(question: Question) -> float | None:
    difference = question.difference
    if question.relative is not None:
        if difference is not None:
            raise ValueError("name the difference once: absolute or relative")
        base = _base(question)
        if not base:
            raise ValueError("a relative difference needs a rate or a baseline that it is relative to")
        difference = question.relative * base
    if difference is not None and question.rate is not None and not 0 <= question.rate + difference <= 1:
        change = "rise" if difference > 0 else "fall"
        raise ValueError(f"a rate of {question.rate:g} cannot {change} by {abs(difference):g}")
    return difference


def _design_effect(question: Question) -> float:
    return design_effect(question.cluster_size, question.correlation, variation=question.size_variation)


def _check(question: Question) -> None:
    checked_levels(question.alpha, POWER if question.power is None else question.power)
    if question.n_tests < 1:
        raise ValueError(f"at least one test shares alpha, not {question.n_tests}")
    if question.n is not None and question.n < 2:
        raise ValueError(f"at least 2 units are needed, not {question.n}")
    for name in ("rate", "baseline", "deviation", "difference", "relative", "width"):
        value = getattr(question, name)
        if value is not None and not math.isfinite(value):
            raise ValueError(f"the {name} is a finite number, not {value}")
    if question.design == "interval" and (question.difference, question.relative, question.power) != (None,) * 3:
        raise ValueError("an interval has a width, no difference and no power")
    if question.design != "interval" and question.width is not None:
        raise ValueError("a width belongs to the design interval")
