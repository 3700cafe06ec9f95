"""Whole campaigns of people whose ways of erring are known: the bad ones are found as often as is computed."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from annotation.quality.adjudications import no_adjudications
from annotation.quality.arrays import Floats, Ints
from annotation.quality.gold import Gold
from annotation.quality.inputs import Inputs
from annotation.quality.scale import Scale
from annotation.quality.standing import Standing, standing_of
from annotation.quality.table import JudgmentTable, judgment_table
from annotation.quality.trust import Watch, Watched, WatchSettings, exits, watch_people

SCALE, SETTINGS = Scale(), WatchSettings()
N_PEOPLE, N_GOLD = 500, 60
PRIOR = np.array([0.3, 0.25, 0.2, 0.15, 0.1])  # of the true grades


def right(share: float, near: float) -> Floats:
    """Right in `share`; of the errors, `near` go to the grades next to the true one, the others anywhere farther."""
    apart = np.abs(np.arange(5)[:, None] - np.arange(5))
    beside, far = (apart == 1) * 1.0, (apart > 1) * 1.0
    beside, far = (each / each.sum(axis=1, keepdims=True) for each in (beside, far))
    matrix: Floats = share * np.eye(5) + (1 - share) * (near * beside + (1 - near) * far)
    return matrix


def shifted(steps: int, share: float) -> Floats:
    """Everything `steps` grades too high in `share`, as far as the scale goes, otherwise right."""
    return share * np.eye(5)[np.minimum(np.arange(5) + steps, 4)] + (1 - share) * np.eye(5)


KINDS: dict[str, Floats] = {  # (true grade, grade given)
    "careful": right(0.92, 0.9),
    "fair": right(0.75, 0.8),
    "hasty": right(0.5, 0.5),
    "generous by one": shifted(1, 0.9),
    "generous by two": shifted(2, 0.9),
    "at random": np.full((5, 5), 0.2),
    "always the middle": np.tile(np.eye(5)[2], (5, 1)),
}


@dataclass(frozen=True)
class Found:
    """Of `N_PEOPLE` of a kind each, one after the other."""

    watched: list[Watch]
    standing: Ints

    def of(self, kind: str) -> slice:
        first = list(KINDS).index(kind) * N_PEOPLE
        return slice(first, first + N_PEOPLE)


@cache
def campaign() -> Found:
    rng = np.random.default_rng(11)
    truth = rng.choice(5, (len(KINDS) * N_PEOPLE, N_GOLD), p=PRIOR)  # everybody meets gold of their own
    kind = np.repeat(np.arange(len(KINDS)), N_PEOPLE)
    edges = np.stack(list(KINDS.values())).cumsum(axis=2)[kind[:, None], truth]
    grade = (rng.random(truth.shape)[..., None] > edges[..., :-1]).sum(axis=2)
    table = everybody(grade)
    gold = Gold(table.topic, table.document, truth.ravel(), np.arange(5) == truth.reshape(-1, 1))
    inputs = Inputs(table=table, scale=SCALE, gold=gold, adjudications=no_adjudications())
    return Found(watch_people(inputs, SETTINGS), standing_of(inputs.accuracy, min_gold=10, threshold=0.7))


def everybody(grade: Ints) -> JudgmentTable:
    """Row by row the judgments of one person; no pair is judged by two."""
    n_people, n_gold = grade.shape
    pairs = [f"{i:06}" for i in range(grade.size)]
    people = np.repeat([f"p{i:05}" for i in range(n_people)], n_gold).tolist()
    return judgment_table(number=["1"] * grade.size, docno=pairs, annotator=people, grade=grade.ravel())


def within(share: float, wanted: float) -> None:
    """Four standard errors of a share among so many people."""
    assert share == pytest.approx(wanted, abs=4 * np.sqrt(wanted * (1 - wanted) / N_PEOPLE) + 1e-9)


def critical(kind: str) -> float:
    """The chance that such a person errs critically on a gold pair."""
    far = np.abs(np.arange(5)[:, None] - np.arange(5)) >= 2
    return float(PRIOR @ (KINDS[kind] * far).sum(axis=1))


@pytest.mark.parametrize("kind", KINDS)
def test_people_are_stopped_as_often_as_is_computed(kind: str) -> None:
    walk = exits(
        rise=SETTINGS.rise,
        fall=SETTINGS.fall,
        low=SETTINGS.clear_at,
        high=SETTINGS.stop_at,
        rate=1 - critical(kind),
    )
    states = [each.state for each in campaign().watched[campaign().of(kind)]]
    within(float(np.mean([state == Watched.STOPPED for state in states])), walk.above[: N_GOLD + 1].sum())
    within(
        float(np.mean([state in (Watched.CLEARED, Watched.PAUSED) for state in states])), walk.below[: N_GOLD + 1].sum()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_people_count_as_reliable_as_often_as_is_computed(kind: str) -> None:
    share = float(PRIOR @ np.diag(KINDS[kind]))
    needed = int(np.ceil(0.7 * N_GOLD - 1e-9))
    within(
        float(np.mean(campaign().standing[campaign().of(kind)] == Standing.RELIABLE)),
        float(binom.sf(needed - 1, N_GOLD, share)),
    )


def test_the_bad_are_told_from_the_good() -> None:
    """What follows for a campaign: who errs critically too often is stopped, who errs by one grade only is not."""
    stopped = {
        kind: np.mean([w.state == Watched.STOPPED for w in campaign().watched[campaign().of(kind)]]) for kind in KINDS
    }
    assert all(stopped[kind] < 0.01 for kind in ("careful", "generous by one"))
    assert all(stopped[kind] > 0.95 for kind in ("generous by two", "at random"))
    reliable = {kind: np.mean(campaign().standing[campaign().of(kind)] == Standing.RELIABLE) for kind in KINDS}
    assert reliable["careful"] > 0.99
    assert all(reliable[kind] < 0.01 for kind in KINDS if kind not in ("careful", "fair"))
