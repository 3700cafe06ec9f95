"""What a rule can be expected to come to, before anybody has judged: simulated with people of several accuracies."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from annotation.quality.overlap.campaign import Setting, expect
from annotation.quality.overlap.rule import OverlapRule
from annotation.quality.policy import Policy

ACCURACIES = (0.6, 0.75, 0.9)
SPREAD = 0.1  # people lie between so much below and above
N_PEOPLE = 20
SEED = 1


@dataclass(frozen=True)
class Likely:
    """With people right on `accuracy` of the easy pairs, on average: judgments a pair, and shares of grades that come
    out right, under the rule and if every pair had the largest number."""

    accuracy: float
    per_pair: float
    right: float
    right_at_maximum: float


@lru_cache(maxsize=64)
def likely(rule: OverlapRule, policy: Policy, grades: tuple[int, ...]) -> tuple[Likely, ...]:
    """The same every time it is asked for; a second or so for the first."""
    return tuple(_likely(accuracy, rule, policy, grades) for accuracy in ACCURACIES)


def _likely(accuracy: float, rule: OverlapRule, policy: Policy, grades: tuple[int, ...]) -> Likely:
    people = np.linspace(accuracy - SPREAD, min(accuracy + SPREAD, 0.98), N_PEOPLE)
    setting = Setting(tuple(people.tolist()), n_topics=16, pairs_a_topic=20, gold=0.6, grades=grades)
    expected = expect(setting, policy, rule, rng=np.random.default_rng(SEED), n_folds=3)
    return Likely(accuracy, expected.dynamic.per_pair, expected.dynamic.share, expected.fixed.share)
