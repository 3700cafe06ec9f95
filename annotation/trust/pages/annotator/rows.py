"""The figures of one annotator, each with what it says in plain words."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from annotation.quality.annotators import Figure, Figures, Profiles
from annotation.quality.annotators.drift import PER as PER_JUDGMENTS
from annotation.quality.annotators.fatigue import PER as PER_CARDS

LEAST_CHANCE = 0.001  # smaller ones are not told apart


class Kind(Enum):
    """How a figure is written."""

    SHARE = "{:.0%}"
    INDEX = "{:.2f}"
    STEPS = "{:+.2f}"
    MEAN_STEPS = "{:.2f}\u202f"
    COUNT = "{:.0f}"
    SECONDS = "{:.1f} s"
    TIMES = "× {:.2f}"
    CHANCE = "{:.3f}"


@dataclass(frozen=True)
class FigureRow:
    name: str
    meaning: str
    figure: Figure
    kind: Kind

    @property
    def shown(self) -> str:
        return "–" if self.figure.value is None else self._written(self.figure.value)

    @property
    def interval(self) -> str:
        if self.figure.low is None or self.figure.high is None:
            return "–"
        return f"{self._written(self.figure.low)} to {self._written(self.figure.high)}"

    def _written(self, value: float) -> str:
        if self.kind is Kind.CHANCE and value < LEAST_CHANCE:
            return f"< {LEAST_CHANCE}"
        return self.kind.value.format(value + 0.0).strip().replace("-", "−").replace("%", " %")


@dataclass(frozen=True)
class Statistic:
    name: str
    meaning: str
    kind: Kind
    of: Callable[[Profiles], Figures]

    def row(self, profiles: Profiles, i: int) -> FigureRow:
        return FigureRow(self.name, self.meaning, self.of(profiles).of(i), self.kind)


ON_GOLD = (
    Statistic(
        "Right by accepted grades",
        "Share of gold pairs with a grade that is accepted there. This is the accuracy that policies go by.",
        Kind.SHARE,
        lambda profiles: profiles.right.accepted,
    ),
    Statistic(
        "One grade for all",
        "Share that would be right, had this person given one grade to all of this gold, the one that suits it best.",
        Kind.SHARE,
        lambda profiles: profiles.right.constant,
    ),
    Statistic(
        "Right exactly",
        "Share of gold pairs with the very gold grade.",
        Kind.SHARE,
        lambda profiles: profiles.right.exact,
    ),
    Statistic(
        "Within one",
        "Share of gold pairs with the gold grade or a neighbouring one.",
        Kind.SHARE,
        lambda profiles: profiles.right.within_one,
    ),
    Statistic(
        "Critical errors",
        "Share of gold pairs judged two or more steps from what is accepted, or, where a pair accepts several grades, "
        "outside them. Such errors hurt most.",
        Kind.SHARE,
        lambda profiles: profiles.severity.critical,
    ),
    Statistic(
        "How far errors go",
        "Mean steps by which wrong answers are off: 1 is a near miss.",
        Kind.MEAN_STEPS,
        lambda profiles: profiles.severity.of_errors,
    ),
    Statistic(
        "Leniency on gold",
        "Mean steps above (+) or below (−) the gold grade. Steady leniency can be corrected for, carelessness cannot.",
        Kind.STEPS,
        lambda profiles: profiles.leniency.from_gold,
    ),
)

BESIDE_OTHERS = (
    Statistic(
        "Agreement with others",
        "Of others who judged the same pair, the share with the same grade; mean over pairs; planted gold left out.",
        Kind.SHARE,
        lambda profiles: profiles.others.same,
    ),
    Statistic(
        "The others among each other",
        "The same among the others, on the same pairs: what the figure above is to be measured by.",
        Kind.SHARE,
        lambda profiles: profiles.others.among,
    ),
    Statistic(
        "Near the others’ median",
        "Share of pairs with a grade at most a step from the median of the others.",
        Kind.SHARE,
        lambda profiles: profiles.others.near,
    ),
    Statistic(
        "Leniency beside others",
        "Mean steps above (+) or below (−) the median of the others on the same pair.",
        Kind.STEPS,
        lambda profiles: profiles.leniency.from_others,
    ),
    Statistic(
        "Above the lowest grade",
        "Share of answers above the lowest grade, on pairs that others judged, too.",
        Kind.SHARE,
        lambda profiles: profiles.above_bottom.own,
    ),
    Statistic(
        "The others above it",
        "The same of the others, on the same pairs: a mean leniency of few steps may hide how far the two are apart.",
        Kind.SHARE,
        lambda profiles: profiles.above_bottom.others,
    ),
    Statistic(
        "Same answer again",
        "Share of pairs that got the same grade when they came a second time.",
        Kind.SHARE,
        lambda profiles: profiles.consistency.same,
    ),
    Statistic(
        "Near answer again",
        "The same, or a neighbouring grade, the second time.",
        Kind.SHARE,
        lambda profiles: profiles.consistency.near,
    ),
)

HABITS = (
    Statistic(
        "Commonest grade",
        "Share of answers that have this person’s commonest grade.",
        Kind.SHARE,
        lambda profiles: profiles.variety.commonest,
    ),
    Statistic(
        "Variety of grades",
        "Entropy: 0 where all answers have one grade, 1 where all grades come equally often.",
        Kind.INDEX,
        lambda profiles: profiles.variety.entropy,
    ),
    Statistic(
        "Longest run of one grade",
        "How many answers in a row had the same grade. A topic without relevant documents makes honest long runs.",
        Kind.COUNT,
        lambda profiles: profiles.straight.longest,
    ),
    Statistic(
        "Such a run by chance",
        "How likely the same answers in random order hold a run so long, at most.",
        Kind.CHANCE,
        lambda profiles: profiles.straight.by_chance,
    ),
    Statistic(
        "Median time",
        "Seconds an answer takes, the page visible and used where that was recorded, else by the clock.",
        Kind.SECONDS,
        lambda profiles: profiles.pace.seconds,
    ),
    Statistic(
        "Pace beside people",
        "How far from the middle of all people, in their usual spread on the log scale. Below −3 is unusually fast.",
        Kind.STEPS,
        lambda profiles: profiles.pace.beside,
    ),
    Statistic(
        "Hasty answers",
        "Share of answers faster than nearly anybody reads: three spreads below the middle of everybody’s.",
        Kind.SHARE,
        lambda profiles: profiles.pace.hasty,
    ),
)

OVER_TIME = (
    Statistic(
        "Accuracy in a session",
        f"Change of the share right on gold of one grade in {PER_CARDS:.0f} cards of one sitting. Below 0: worse.",
        Kind.STEPS,
        lambda profiles: profiles.fatigue.right,
    ),
    Statistic(
        "Pace in a session",
        f"How many times as long an answer takes after {PER_CARDS:.0f} cards of one sitting. Below 1: it gets faster.",
        Kind.TIMES,
        lambda profiles: profiles.fatigue.pace,
    ),
    Statistic(
        "Accuracy over all work",
        f"Change of the share right on gold of one grade in {PER_JUDGMENTS:.0f} judgments. Below 0: worse.",
        Kind.STEPS,
        lambda profiles: profiles.drift.right,
    ),
    Statistic(
        "Leniency over all work",
        f"Change of leniency on gold of one grade, in steps, in {PER_JUDGMENTS:.0f} judgments. Above 0: milder.",
        Kind.STEPS,
        lambda profiles: profiles.drift.shift,
    ),
)
