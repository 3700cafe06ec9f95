"""Simulated campaigns: what the rule would come to with people of known accuracy. The rule itself is the real one."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.adjudications import no_adjudications
from annotation.quality.arrays import Bools, Ints
from annotation.quality.crossfit import N_FOLDS
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.overlap.fixed import AtNumber, at_fixed, at_paths
from annotation.quality.overlap.paths import Paths, follow
from annotation.quality.overlap.rule import OverlapRule
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable, judgment_table

HARD = 0.25  # of the pairs: there everybody is half as much better than chance
NEAR = 0.75  # of the errors: a neighbouring grade; the others are anywhere else


@dataclass(frozen=True)
class Setting:
    """`accuracy`: share right on easy pairs, a number a person. `gold`: share of the pairs whose grade is known."""

    accuracy: tuple[float, ...]
    n_topics: int = 20
    pairs_a_topic: int = 25
    gold: float = 0.4
    grades: tuple[int, ...] = (0, 1, 2, 3, 4)


@dataclass(frozen=True, eq=False)
class Expected:
    """What the rule came to, and what the same judgments come to if every pair gets as many as may be."""

    paths: Paths
    fixed: AtNumber

    @property
    def dynamic(self) -> AtNumber:
        return at_paths(self.paths)

    @property
    def saved(self) -> float:
        """Share of the judgments of the fixed number that the rule does not ask for."""
        return 1 - self.dynamic.per_pair / self.fixed.per_pair


def expect(
    setting: Setting, policy: Policy, rule: OverlapRule, *, rng: np.random.Generator, n_folds: int = N_FOLDS
) -> Expected:
    """A campaign in which everybody who may be asked about a pair has an answer ready, replayed under the rule."""
    inputs = campaign(setting, maximum=rule.maximum, rng=rng)
    return Expected(
        follow(inputs, policy, rule, n_folds=n_folds), at_fixed(inputs, policy, rule.maximum, n_folds=n_folds)
    )


def campaign(setting: Setting, *, maximum: int, rng: np.random.Generator) -> Inputs:
    """`maximum` judgments of every pair by different people drawn at random. Grades are equally frequent."""
    n_people, n_pairs = len(setting.accuracy), setting.n_topics * setting.pairs_a_topic
    truth = rng.integers(0, len(setting.grades), n_pairs)  # places on the scale
    hard: Bools = rng.random(n_pairs) < HARD
    person = rng.permuted(np.tile(np.arange(n_people), (n_pairs, 1)), axis=1)[:, :maximum]  # (n_pairs, maximum)
    answer = _answers(setting, truth, hard, person, rng)
    scale = Scale(setting.grades)
    number, docno = _ids(setting)
    table = _table(number, docno, person, scale.values[answer])
    known = np.flatnonzero(rng.random(n_pairs) < setting.gold)
    gold = gold_pairs(
        table,
        number=[number[i] for i in known],
        docno=[docno[i] for i in known],
        grade=scale.values[truth[known]],
        scale=scale,
    )
    return Inputs(table=table, scale=scale, gold=gold, adjudications=no_adjudications())


def _table(number: list[str], docno: list[str], person: Ints, grade: Ints) -> JudgmentTable:
    """`person` and `grade`: (n_pairs, maximum). All first judgments, then all second ones."""
    each = np.tile(np.arange(len(number)), person.shape[1])
    return judgment_table(
        number=[number[i] for i in each],
        docno=[docno[i] for i in each],
        annotator=[f"p{a:03}" for a in person.T.ravel()],
        grade=grade.T.ravel(),
    )


def _answers(setting: Setting, truth: Ints, hard: Bools, person: Ints, rng: np.random.Generator) -> Ints:
    """(n_pairs, maximum): right with the person's chance, else a neighbour or anywhere."""
    n_grades = len(setting.grades)
    chance = 1 / n_grades
    right = np.asarray(setting.accuracy)[person]
    right = np.where(hard[:, None], chance + (right - chance) / 2, right)
    true = np.broadcast_to(truth[:, None], person.shape)
    step = np.where(rng.random(person.shape) < 0.5, -1, 1)
    near = np.where((true + step < 0) | (true + step >= n_grades), true - step, true + step)
    other = (true + rng.integers(1, n_grades, person.shape)) % n_grades
    wrong = np.where(rng.random(person.shape) < NEAR, near, other)
    return np.where(rng.random(person.shape) < right, true, wrong).astype(np.int64)


def _ids(setting: Setting) -> tuple[list[str], list[str]]:
    number = [f"{t:03}" for t in range(setting.n_topics) for _ in range(setting.pairs_a_topic)]
    return number, [f"{topic}-{i:05}" for i, topic in enumerate(number)]
