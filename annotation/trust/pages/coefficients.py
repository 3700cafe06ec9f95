"""The coefficients of the quality page: what each is called, what it says in plain words, and how it is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from annotation.quality.agreement.alpha import Level, alpha_values, krippendorff_alpha
from annotation.quality.agreement.cohen import cohen_values
from annotation.quality.agreement.complete import CompleteGrades
from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.couples import Couples, couples_of
from annotation.quality.agreement.fleiss import fleiss_kappa, fleiss_values
from annotation.quality.agreement.gwet import gwet_ac1, gwet_ac2, gwet_values
from annotation.quality.agreement.icc import icc_mean, icc_one, icc_values
from annotation.quality.agreement.icc_two_way import TwoWay, two_way_icc
from annotation.quality.agreement.kendall import kendall_w
from annotation.quality.agreement.percent import pairwise_agreement, pairwise_values
from annotation.quality.agreement.randolph import randolph_kappa, randolph_values
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.scott import scott_values
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.two import LEAST_SHARED, mean_over_couples
from annotation.quality.agreement.weights import Weights
from annotation.quality.arrays import Floats, Ints
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes


@dataclass(frozen=True, eq=False)
class Compared:
    """The judgments compared, in the three shapes that coefficients ask for."""

    counts: GradeCounts
    votes: Votes
    scale: Scale

    @cached_property
    def couples(self) -> Couples:
        return couples_of(self.votes, self.scale, int(self.votes.annotator.max(initial=-1)) + 1)

    @cached_property
    def two_way(self) -> TwoWay:
        return two_way_icc(self.complete)

    @cached_property
    def complete(self) -> CompleteGrades:
        return CompleteGrades.of(self.votes)


@dataclass(frozen=True)
class Coefficient:
    """`values` computes it of resamples; None: it has no interval here. `is_share`: said in percent."""

    name: str
    meaning: str
    of: Callable[[Compared], Agreement]
    values: Callable[[Sums], Floats] | None = None
    is_share: bool = False


def _mean_cohen(weights: Weights, compared: Compared) -> Agreement:
    def each(tables: Ints) -> Floats:
        return cohen_values(tables, compared.scale.values, weights=weights)

    return mean_over_couples(compared.couples, each)


def _mean_scott(compared: Compared) -> Agreement:
    return mean_over_couples(compared.couples, lambda tables: scott_values(tables, compared.scale.values))


def _alpha(level: Level, meaning: str) -> Coefficient:
    return Coefficient(
        f"Krippendorff’s α, {level}",
        meaning,
        lambda compared: krippendorff_alpha(compared.counts, level=level),
        partial(alpha_values, level=level),
    )


ALPHA = _alpha(
    Level.ORDINAL,
    "Agreement beyond chance, grades a step apart counting as near. 1 is perfect, 0 is chance.",
)

FIRST = (
    Coefficient(
        "Pairwise agreement",
        "How often two people drawn on the same pair give the same grade. Chance is not taken out.",
        lambda compared: pairwise_agreement(compared.counts),
        pairwise_values,
        is_share=True,
    ),
    ALPHA,
    Coefficient(
        "Gwet’s AC2, quadratic",
        "The same question, with chance computed so that it stays meaningful where nearly all pairs have one grade.",
        lambda compared: gwet_ac2(compared.counts),
        partial(gwet_values, weights=Weights.QUADRATIC),
    ),
    Coefficient(
        "ICC(1)",
        "Grades as numbers: the share of their variance that lies between pairs, not between people on one pair.",
        lambda compared: icc_one(compared.counts),
        icc_values,
    ),
)

FURTHER = (
    _alpha(Level.NOMINAL, "As above, but any two different grades count as equally far apart."),
    _alpha(Level.INTERVAL, "As above, distances being those of the grades’ numbers."),
    Coefficient(
        "Fleiss’ κ",
        "Same grade or not, beyond what people would reach at random who give each grade as often as all together did.",
        lambda compared: fleiss_kappa(compared.counts),
        fleiss_values,
    ),
    Coefficient(
        "Randolph’s κ",
        "Same grade or not, beyond what people would reach at random who give all grades equally often.",
        lambda compared: randolph_kappa(compared.counts),
        randolph_values,
    ),
    Coefficient(
        "Gwet’s AC1",
        "Same grade or not; robust where nearly all pairs have one grade.",
        lambda compared: gwet_ac1(compared.counts),
        gwet_values,
    ),
    *(
        Coefficient(
            f"Cohen’s κ, {weights}",
            f"Two people at a time, chance from the habits of each; {counting}. Mean over every two people who share "
            f"{LEAST_SHARED} pairs or more.",
            partial(_mean_cohen, weights),
        )
        for weights, counting in (
            (Weights.UNWEIGHTED, "same grade or not"),
            (Weights.LINEAR, "a grade further off counts as one step worse"),
            (Weights.QUADRATIC, "far misses count most"),
        )
    ),
    Coefficient(
        "Scott’s π",
        "As Cohen’s κ unweighted, but one of the two being milder counts as disagreement.",
        _mean_scott,
    ),
    Coefficient(
        "ICC(k)",
        "How reliable the mean of a pair’s k grades is, where every pair has k.",
        lambda compared: icc_mean(compared.counts),
    ),
    Coefficient(
        "ICC(A,1)",
        "As ICC(1), leniency of each person told apart, and counted as disagreement.",
        lambda compared: compared.two_way.a_one,
    ),
    Coefficient(
        "ICC(C,1)",
        "As ICC(1), leniency of each person taken out: only whether grades rise and fall together.",
        lambda compared: compared.two_way.c_one,
    ),
    Coefficient(
        "ICC(A,k)",
        "As ICC(A,1), of the mean of all k people instead of one.",
        lambda compared: compared.two_way.a_mean,
    ),
    Coefficient(
        "ICC(C,k)",
        "As ICC(C,1), of the mean of all k people instead of one.",
        lambda compared: compared.two_way.c_mean,
    ),
    Coefficient(
        "Kendall’s W",
        "Whether people put the pairs into the same order, however mildly each of them grades.",
        lambda compared: kendall_w(compared.complete),
    ),
)
