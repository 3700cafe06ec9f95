"""How often the watch errs: published figures, a plain second computation, a simulation, and what must hold."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.quality.settings import SettingError
from annotation.quality.trust import (
    Watched,
    WatchSettings,
    error_rates,
    exits,
    golds_to_pause,
    pause_threshold,
    paused_within,
    rates_in_runs,
    watch_of,
)
from annotation.quality.trust.walk import Exits
from tests.annotation.quality.worked import worked_example

DEFAULT = WatchSettings()
RATES = st.floats(0, 1)
ASKED = st.builds(
    WatchSettings,
    good=st.sampled_from([0.75, 0.8, 0.9, 0.95]),
    poor=st.sampled_from([0.4, 0.5, 0.65]),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
    beta=st.sampled_from([0.02, 0.1, 0.2]),
)


def wald(asked: WatchSettings, rate: float) -> Exits:
    return exits(rise=asked.rise, fall=asked.fall, low=asked.clear_at, high=asked.stop_at, rate=rate)


def walked(rng: np.random.Generator, runs: float, error: float = 0.15) -> bool:
    """Whether one person is stopped, gold by gold; the state of the last gold stays with chance `runs`."""
    score, last = 0.0, rng.random() < error
    while True:
        last = last if rng.random() < runs else rng.random() < error
        score += DEFAULT.rise if last else -DEFAULT.fall
        if score >= DEFAULT.stop_at or score <= DEFAULT.clear_at:
            return score > 0


@pytest.mark.parametrize("runs", [0.0, 0.3, 0.6])
def test_errors_in_runs_are_as_simulated(runs: float) -> None:
    rng = np.random.default_rng(7)
    n = 4000
    simulated = sum(walked(rng, runs) for _ in range(n)) / n
    (rates,) = rates_in_runs(DEFAULT, [runs])
    assert rates.stopped == pytest.approx(simulated, abs=4 * (rates.stopped * (1 - rates.stopped) / n) ** 0.5)


def test_runs_stop_more_good_people_and_fewer_poor_ones() -> None:
    none, some, many = rates_in_runs(DEFAULT)
    (good,) = error_rates(DEFAULT, [DEFAULT.good])
    assert (none.stopped, none.paused) == pytest.approx((good.stopped, good.paused))
    assert none.stopped < some.stopped < many.stopped
    assert none.paused < some.paused < many.paused
    assert none.poor_stopped > some.poor_stopped > many.poor_stopped


def test_shares_of_people_stopped() -> None:
    stopped = {each.rate: round(each.stopped, 3) for each in error_rates(DEFAULT, [0.85, 0.80, 0.60])}
    assert stopped == {0.85: 0.034, 0.80: 0.139, 0.60: 0.916}


@pytest.mark.shared
def test_published_example(shared_data: Path) -> None:
    example = worked_example(shared_data, "sprt_gold_p0_085_p1_060")
    wanted, within = example["expected"], example["tolerance"]
    steps = [-DEFAULT.fall, DEFAULT.rise, DEFAULT.stop_at, DEFAULT.clear_at]
    assert steps == pytest.approx(
        [wanted[name] for name in ("step_correct", "step_wrong", "remove_at", "clear_at")], abs=1e-6
    )
    for rate, (stopped, cleared, golds) in wanted["oc_exact_reject_accept_asn"].items():
        walk = wald(DEFAULT, float(rate))
        assert [walk.above.sum(), walk.below.sum(), walk.golds] == pytest.approx([stopped, cleared, golds], abs=within)


def test_a_walk_by_hand() -> None:
    """Two steps either way, up by one and down by one: gambler's ruin with even chances."""
    walk = exits(rise=1, fall=1, low=-2, high=2, rate=0.5)
    assert walk.above[:7].tolist() == [0, 0, 1 / 4, 0, 1 / 8, 0, 1 / 16]
    assert walk.golds == pytest.approx(4, abs=1e-9)
    assert walk.golds_above == pytest.approx(4, abs=1e-9)
    cut = exits(rise=1, fall=1, low=-2, high=2, rate=0.5, most=5)
    assert (cut.above.tolist(), cut.below.tolist()) == ([0, 0, 1 / 4, 0, 1 / 8, 0], [0, 0, 1 / 4, 0, 1 / 8, 0])


def test_nobody_errs_and_everybody_errs() -> None:
    best, worst = error_rates(DEFAULT, [1.0, 0.0])
    assert (best.stopped, best.golds, best.golds_stopped, best.paused) == (0, 7, None, 0)
    assert best.golds_paused == float("inf")
    assert (worst.stopped, worst.golds, worst.golds_stopped, worst.paused) == (1, 3, 3, 1)
    assert worst.golds_paused == 8


def test_the_threshold_is_the_smallest_with_so_few_false_pauses() -> None:
    threshold = pause_threshold(DEFAULT)
    assert threshold == 6.9
    assert paused_within(DEFAULT, threshold, 0.85, 600) == pytest.approx(0.0491, abs=5e-5)
    assert paused_within(DEFAULT, threshold - 0.01, 0.85, 600) > 0.05


def plainly_paused(asked: WatchSettings, threshold: float, rate: float, golds: int) -> float:
    """The same share gold by gold, each score that can be reached with its chance."""
    chances, paused = {(0, 0): 1.0}, 0.0
    for _ in range(golds):
        reached: dict[tuple[int, int], float] = {}
        for (wrong, right), chance in chances.items():
            for state, share in (((wrong, right + 1), rate), ((wrong + 1, right), 1 - rate)):
                score = state[0] * asked.rise - state[1] * asked.fall
                if score >= threshold:
                    paused += chance * share
                else:
                    then = state if score > 0 else (0, 0)
                    reached[then] = reached.get(then, 0) + chance * share
        chances = reached
    return paused


@given(ASKED, st.floats(0.05, 0.95), st.floats(0.5, 5), st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_pauses_as_gold_by_gold(asked: WatchSettings, rate: float, threshold: float, golds: int) -> None:
    paused = paused_within(asked, threshold, rate, golds)
    assert paused == pytest.approx(plainly_paused(asked, threshold, rate, golds), abs=1e-10)


def test_mean_golds_to_the_pause_are_the_sum_of_those_still_going_on() -> None:
    still = 1.0 + sum(1 - paused_within(DEFAULT, 3.0, 0.6, golds) for golds in range(1, 400))
    assert golds_to_pause(DEFAULT, 3.0, 0.6) == pytest.approx(still, abs=1e-6)


@given(ASKED, RATES)
@settings(max_examples=40, deadline=None)
def test_everybody_leaves(asked: WatchSettings, rate: float) -> None:
    walk = wald(asked, rate)
    assert walk.above.sum() + walk.below.sum() == pytest.approx(1, abs=1e-9)


@given(ASKED, st.lists(RATES, min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_better_people_are_stopped_and_paused_less(asked: WatchSettings, rates: list[float]) -> None:
    rates_of_error = error_rates(asked, sorted(rates))
    for worse, better in pairwise(rates_of_error):
        assert better.stopped <= worse.stopped + 1e-9
        assert better.paused <= worse.paused + 1e-9
        assert better.golds_paused >= worse.golds_paused * (1 - 1e-6)


@given(ASKED)
@settings(max_examples=25, deadline=None)
def test_wald_bounds_hold(asked: WatchSettings) -> None:
    """A. Wald (1945): stopped at the good rate at most α / (1 − β), cleared at the poor one at most β / (1 − α)."""
    good, poor = error_rates(asked, [asked.good, asked.poor])
    assert good.stopped <= asked.alpha / (1 - asked.beta) + 1e-9
    assert 1 - poor.stopped <= asked.beta / (1 - asked.alpha) + 1e-9
    assert good.paused <= asked.false_pauses


@pytest.mark.parametrize("rate", [0.85, 0.75, 0.6])
def test_simulated_people_are_stopped_as_often_as_said(rate: float) -> None:
    n_people, n_golds = 3000, 700
    critical = np.random.default_rng(int(rate * 100)).random((n_people, n_golds)) >= rate
    watched = [watch_of(each, DEFAULT) for each in critical]
    expected = error_rates(DEFAULT, [rate])[0]
    stopped = sum(each.state == Watched.STOPPED for each in watched) / n_people
    assert stopped == pytest.approx(
        expected.stopped, abs=4 * np.sqrt(expected.stopped * (1 - expected.stopped) / n_people)
    )
    spent = [each.ended_after or 0 for each in watched if each.state == Watched.STOPPED]
    assert np.mean(spent) == pytest.approx(expected.golds_stopped, abs=4 * np.std(spent) / np.sqrt(len(spent)))
    cleared = [each for each in watched if each.cleared_after is not None and each.cleared_after <= n_golds - 600]
    paused = [each for each in cleared if each.ended and (each.ended_after or 0) - (each.cleared_after or 0) <= 600]
    error = np.sqrt(expected.paused * (1 - expected.paused) / len(cleared))
    assert len(paused) / len(cleared) == pytest.approx(expected.paused, abs=4 * error + 1e-9)


@pytest.mark.parametrize(
    ("at_most", "beyond"),
    [
        ({"good": 0.99}, {"good": 0.991}),
        ({"good": 0.11, "poor": 0.01}, {"poor": 0.009}),
        ({"good": 0.99, "poor": 0.89}, {"poor": 0.891}),
        ({"alpha": 0.005}, {"alpha": 0.0049}),
        ({"alpha": 0.25, "beta": 0.25}, {"alpha": 0.251}),
        ({"beta": 0.005}, {"beta": 0.0049}),
        ({"alpha": 0.25, "beta": 0.25}, {"beta": 0.251}),
        ({"false_pauses": 0.005}, {"false_pauses": 0.0049}),
        ({"false_pauses": 0.5}, {"false_pauses": 0.51}),
        ({"per_golds": 10}, {"per_golds": 9}),
        ({"per_golds": 2000}, {"per_golds": 2001}),
    ],
)
def test_what_is_said_holds_up_to_the_limits_and_no_further(
    at_most: dict[str, float], beyond: dict[str, float]
) -> None:
    asked = replace(DEFAULT, **at_most)  # type: ignore[arg-type]
    good, poor = error_rates(asked, [asked.good, asked.poor])
    assert good.stopped <= asked.alpha / (1 - asked.beta)
    assert 1 - poor.stopped <= asked.beta / (1 - asked.alpha) + 1e-9
    threshold = pause_threshold(asked)
    assert good.paused == paused_within(asked, threshold, asked.good, asked.per_golds) <= asked.false_pauses
    assert threshold == 0.01 or paused_within(asked, threshold - 0.01, asked.good, asked.per_golds) > asked.false_pauses
    with pytest.raises(SettingError):
        replace(asked, **beyond)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"good": 1.0}, "good"),
        ({"poor": 0.0}, "poor"),
        ({"good": 0.6, "poor": 0.55}, "poor"),
        ({"alpha": 0.0}, "alpha"),
        ({"beta": 0.5}, "beta"),
        ({"beta": float("nan")}, "beta"),
        ({"false_pauses": 0.0}, "false_pauses"),
        ({"per_golds": 5}, "per_golds"),
    ],
)
def test_settings_that_make_no_watch(given_: dict[str, float], field: str) -> None:
    with pytest.raises(SettingError) as refused:
        WatchSettings(**given_)  # type: ignore[arg-type]
    assert refused.value.field == field
