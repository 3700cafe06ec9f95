"""Settings of the rules that pause, and how often they err: against enumeration, the normal and drawn paces."""

from itertools import product

import numpy as np
import pytest

from annotation.quality.adjudications import no_adjudications
from annotation.quality.annotators.pace import pace_of
from annotation.quality.arrays import Floats
from annotation.quality.inputs import Inputs
from annotation.quality.scale import Scale
from annotation.quality.settings import SettingError
from annotation.quality.table import judgment_table
from annotation.quality.trust.rule_errors import fast_share, unreliable_shares
from annotation.quality.trust.rules import PauseRules
from tests.annotation.quality.build import no_gold


def enumerated(rate: float, threshold: float, min_gold: int, n: int) -> float:
    """Every sequence of n answers, with its chance, that is below the threshold at any look."""
    total = 0.0
    for answers in product((0, 1), repeat=n):
        shares = [sum(answers[:k]) / k for k in range(min_gold, n + 1)]
        if any(share < threshold for share in shares):
            right = sum(answers)
            total += rate**right * (1 - rate) ** (n - right)
    return total


@pytest.mark.parametrize(
    ("rate", "threshold", "min_gold"), [(0.8, 0.7, 5), (0.6, 0.5, 8), (0.9, 0.95, 1), (0.5, 0.7, 12)]
)
def test_the_first_look_and_all_looks_agree_with_enumeration(rate: float, threshold: float, min_gold: int) -> None:
    (share,) = unreliable_shares(threshold=threshold, min_gold=min_gold, rates=[rate], within=[12])
    assert share.first == pytest.approx(enumerated(rate, threshold, min_gold, min_gold), abs=1e-12)
    assert share.within == pytest.approx((enumerated(rate, threshold, min_gold, 12),), abs=1e-12)


def test_the_default_policy() -> None:
    """Ten golds, 0.7: found at the first look is who has 6 or fewer right. 1 - BINOM.DIST-like figures of a table of
    the binomial distribution (n = 10): P(X <= 6 | .8) = .1209, P(X <= 6 | .9) = .0128, P(X <= 6 | .5) = .8281.
    """
    share_by_rate = {each.rate: each for each in unreliable_shares(threshold=0.7, min_gold=10)}
    assert [round(share_by_rate[rate].first, 4) for rate in (0.9, 0.8, 0.5)] == [0.0128, 0.1209, 0.8281]
    assert all(each.first <= each.within[0] <= each.within[1] <= 1 + 1e-12 for each in share_by_rate.values())


def test_bounds() -> None:
    (never, always) = unreliable_shares(threshold=0.7, min_gold=10, rates=[1.0, 0.0])
    assert (never.first, never.within) == (0, (0, 0))
    assert (always.first, always.within) == (1, (1, 1))
    assert unreliable_shares(threshold=0.7, min_gold=0, rates=[0.6])[0].first == pytest.approx(0.4)
    assert unreliable_shares(threshold=0, min_gold=0, rates=[0.0])[0].within == (0, 0)


@pytest.mark.parametrize(("spreads", "share"), [(2.0, 0.02275), (3.0, 0.00135)])
def test_speed_by_chance_is_the_tail_of_the_normal(spreads: float, share: float) -> None:
    assert PauseRules(speed_spreads=spreads).speed_by_chance == pytest.approx(share, abs=5e-6)


@pytest.mark.parametrize(("n_people", "share"), [(5, 0.037), (10, 0.0154), (20, 0.0075), (50, 0.0035)])
def test_of_few_people_more_are_found_too_fast_by_chance(n_people: int, share: float) -> None:
    """Counted besides with the figure itself, drawn from another seed."""
    assert fast_share(n_people, 3.0) == pytest.approx(share, abs=0.001)
    rng = np.random.default_rng(n_people)
    beside = [pace_of(_timed(np.exp(9 + 0.3 * rng.standard_normal(n_people)))).beside.value for _ in range(300)]
    assert np.mean(np.concatenate(beside) < -3) == pytest.approx(share, abs=0.012)


def test_of_very_many_people_it_is_the_tail_of_the_normal() -> None:
    assert fast_share(40_000, 2.0) == pytest.approx(PauseRules(speed_spreads=2).speed_by_chance, abs=0.001)


def _timed(ms: Floats) -> Inputs:
    """Each person answers ten times at their own pace."""
    who = np.repeat(np.arange(len(ms)), 10)
    table = judgment_table(
        number=["1"] * len(who),
        docno=[f"d{n}" for n in range(len(who))],
        annotator=[f"p{n:03}" for n in who],
        grade=np.zeros(len(who), dtype=np.int64),
        active_ms=ms[who].astype(np.int64),
    )
    scale = Scale((0, 1))
    return Inputs(table=table, scale=scale, gold=no_gold(scale), adjudications=no_adjudications())


def test_nothing_pauses_by_itself_unless_it_is_chosen() -> None:
    assert PauseRules().by_themselves == frozenset()
    assert PauseRules.of({"stop": "pause", "speed": "pause"}).by_themselves == {"stop", "speed"}


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({"stop": "exclude"}, "stop"),
        ({"speed_spreads": 1}, "speed_spreads"),
        ({"speed_spreads": float("nan")}, "speed_spreads"),
        ({"speed_answers": 9}, "speed_answers"),
        ({"speed_answers": True}, "speed_answers"),
        ({"speed_answers": 30.5}, "speed_answers"),
        ({"alarm": 1}, "alarm"),
        ({"else": "pause"}, ""),
    ],
)
def test_what_makes_no_rules_is_refused(rules: dict[str, object], field: str) -> None:
    with pytest.raises(SettingError) as refused:
        PauseRules.of(rules)
    assert refused.value.field == field
