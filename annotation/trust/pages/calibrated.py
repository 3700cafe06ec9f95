"""How far a policy's confidence holds, as a page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.models import Batch, Collection
from annotation.quality.arrays import Bools, Floats
from annotation.quality.calibration import FEWEST_TOPICS, Calibration, CalibrationScores, calibrate, calibration_scores
from annotation.quality.calibration.scores import LEAST, N_BINS, by_tenths
from annotation.quality.consolidation import MODELS, RULE_WORDS
from annotation.quality.policy import Policy as Parameters
from annotation.quality.purpose import CRITERION
from annotation.quality.wilson import Share, wilson_interval
from annotation.text.counted import counted
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.kept import remembered

WORTH = 0.005  # of the Brier score: less is not worth a correction
SEED = 1  # the same page twice shows the same intervals
SIDE, EDGE = 320, 40  # of the diagram and its margin, in its own units
SMALLEST, LARGEST = 3.0, 9.0  # radius of a dot


@dataclass(frozen=True)
class BinRow:
    """A tenth of confidence with pairs in it; `low` and `high` are Wilson's, of the share right."""

    name: str
    n: int
    confidence: float  # mean
    right: float  # share
    low: float
    high: float
    radius: float

    @property
    def x(self) -> float:
        return _across(self.confidence)

    @property
    def y(self) -> float:
        return _up(self.right)

    @property
    def y_low(self) -> float:
        return _up(self.low)

    @property
    def y_high(self) -> float:
        return _up(self.high)


@dataclass(frozen=True, eq=False)
class CalibrationReport:
    """A policy and what became of the gold pairs that it kept, each decided with its topic's gold hidden."""

    name: str
    parameters: Parameters
    calibration: Calibration

    @property
    def rule(self) -> str:
        return RULE_WORDS[self.parameters.consolidation]

    @property
    def is_posterior(self) -> bool:
        """Whether the confidence is meant as a probability."""
        return self.parameters.consolidation in MODELS

    @property
    def n(self) -> int:
        return len(self.calibration.right)

    @property
    def n_topics(self) -> int:
        return len(np.unique(self.calibration.topic))

    @property
    def confidence(self) -> float:
        return float(self.calibration.confidence.mean())

    @property
    def right(self) -> float:
        return float(self.calibration.right.mean())

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of the share right."""
        return Share(int(self.calibration.right.sum()), self.n).interval

    @property
    def has_curve(self) -> bool:
        """Whether there was gold of other topics to learn a curve on, and enough of it to see what that does."""
        return self.calibration.n_folds > 2 and not self.is_few

    @property
    def is_few(self) -> bool:
        """Whether there are too few pairs for intervals and a correction."""
        return self.n < LEAST

    @cached_property
    def bins(self) -> list[BinRow]:
        return _bins(self.calibration.confidence, self.calibration.right)

    @cached_property
    def bins_calibrated(self) -> list[BinRow]:
        return _bins(self.calibration.probability, self.calibration.right) if self.has_curve else []

    @cached_property
    def stated(self) -> CalibrationScores:
        return self._scores(self.calibration.confidence)

    @cached_property
    def calibrated(self) -> CalibrationScores | None:
        if not self.has_curve:
            return None
        return self._scores(self.calibration.probability)

    def _scores(self, probability: Floats) -> CalibrationScores:
        return calibration_scores(probability, self.calibration.right, self.calibration.topic, rng=SEED)

    @cached_property
    def conclusions(self) -> list[str]:
        """What a careful reader would conclude, a sentence each."""
        return [self._sure(), self._holds(), *self._after(), *self._dealt()]

    def _dealt(self) -> list[str]:
        if self.calibration.dealt == "topics":
            return []
        few = f"Fewer than {FEWEST_TOPICS} topics have judged gold, so pairs were left out in turn, not topics"
        return [f"{few}: this holds for other pairs of these topics and tells nothing of other topics."]

    def _sure(self) -> str:
        low, high = self.interval
        shares = f"Of {counted(self.n, 'gold pair')} that it kept, the policy is right on {100 * self.right:.0f} % "
        shares += f"and says {100 * self.confidence:.0f} %: "
        if self.confidence > high:
            return f"{shares}it is surer than it should be."
        if self.confidence < low:
            return f"{shares}it is less sure than it could be."
        return f"{shares}on average its confidence holds, as far as so many pairs can tell."

    def _holds(self) -> str:
        ece, chance = self.stated.ece, self.stated.ece_by_chance
        errors = f"are {ece:.3f} apart on average (ECE); by chance alone it would be {chance:.3f}"
        verdict = "a bar set on its confidence would not hold" if ece > 2 * chance else "little speaks against it"
        return f"What it says and what is true {errors}, so {verdict}."

    def _after(self) -> list[str]:
        if self.calibrated is None:
            return [
                f"Under {LEAST} pairs there is neither an interval of the scores nor a correction: too few to tell."
            ]
        before, after = self.stated.brier.value, self.calibrated.brier.value
        scores = f"the Brier score goes from {before:.3f} to {after:.3f}"
        return [f"Corrected by a curve learned on other gold, {scores}: {_gain(before - after)}."]


def calibration_report(
    collection: Collection, batches: Sequence[Batch], name: str, parameters: Parameters, criterion: str = CRITERION
) -> CalibrationReport:
    """Applies the policy some fifteen times. `ValueError` as of `policy_inputs`."""

    def compute() -> CalibrationReport:
        return CalibrationReport(name, parameters, calibrate(kept_inputs(collection, batches, criterion), parameters))

    return remembered(collection, batches, criterion, ("calibration", name, parameters.sha256), compute)


def _gain(fall: float) -> str:
    if abs(fall) < WORTH:
        return "there is little to gain"
    return "that is worth using" if fall > 0 else "leave it as it is"


def _bins(probability: Floats, right: Bools) -> list[BinRow]:
    n, confidence, share = by_tenths(probability, right)
    interval = wilson_interval(np.nan_to_num(np.round(share * n)).astype(np.int64), n)
    radius = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(n / max(int(n.max(initial=0)), 1))
    return [
        BinRow(
            f"{100 * b // N_BINS} to {100 * (b + 1) // N_BINS} %",
            *(int(n[b]), float(confidence[b]), float(share[b])),
            *(float(interval.low[b]), float(interval.high[b]), float(radius[b])),
        )
        for b in range(N_BINS)
        if n[b]
    ]


def _across(share: float) -> float:
    return round(EDGE + SIDE * share, 1)


def _up(share: float) -> float:
    return round(EDGE / 2 + SIDE * (1 - share), 1)
