"""Bootstrap intervals over items and topics."""

import numpy as np
import pytest
from scipy import stats

from annotation.quality.agreement.alpha import alpha_values, krippendorff_alpha
from annotation.quality.agreement.bootstrap import bootstrap_intervals, percentile_ends, resamples, units_of
from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.gwet import gwet_ac1, gwet_values
from annotation.quality.agreement.icc import icc_one, icc_values
from annotation.quality.agreement.percent import pairwise_values
from annotation.quality.agreement.sums import Sums
from tests.annotation.quality.agreement.tables import counts

ROWS = np.random.default_rng(3).multinomial(3, [0.4, 0.3, 0.2, 0.1], size=60)
TOPIC = np.repeat(np.arange(12), 5)


def test_a_resample_is_computed_as_if_its_items_were_written_out() -> None:
    table = counts(ROWS)
    rows, times = table.patterns
    unit, _ = units_of(table, "items")
    [weights] = resamples(times, n_draws=7, rng=np.random.default_rng(1))
    sums = Sums.from_flat(weights @ unit, table.values)
    for i, drawn in enumerate(weights.astype(int)):
        written = counts(np.repeat(rows, drawn, axis=0))
        assert len(written.counts) == len(ROWS)
        assert alpha_values(sums)[i] == pytest.approx(krippendorff_alpha(written).value, abs=1e-12)
        assert gwet_values(sums)[i] == pytest.approx(gwet_ac1(written).value, abs=1e-12)
        assert icc_values(sums)[i] == pytest.approx(icc_one(written).value, abs=1e-12)


def test_topics_are_drawn_whole() -> None:
    table = counts(ROWS, topic=TOPIC)
    unit, times = units_of(table, "topics")
    assert times.tolist() == [1] * 12
    drawn = np.array([3, 0, 1, 1, 1, 2, 0, 0, 1, 1, 1, 1])
    written = counts(np.repeat(ROWS, np.repeat(drawn, 5), axis=0))
    alpha = alpha_values(Sums.from_flat(drawn @ unit, table.values))
    assert float(alpha) == pytest.approx(krippendorff_alpha(written).value, abs=1e-12)


def test_the_interval_of_a_share_is_that_of_a_binomial() -> None:
    """30 of 40 items alike: resampled shares are Binomial(40, 3/4) / 40; scipy's quantiles."""
    table = counts([[2, 0]] * 20 + [[0, 2]] * 10 + [[1, 1]] * 10)
    interval = bootstrap_intervals(table, {"pairwise": pairwise_values}, n_draws=20_000, rng=5)["pairwise"]
    low, high = stats.binom.ppf([0.025, 0.975], 40, 0.75) / 40
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1 / 40 + 1e-12)
    assert interval.by == "items"


def test_topics_alike_within_give_a_wider_interval_than_items() -> None:
    """Agreement differs from topic to topic and hardly within: twelve topics tell less than sixty items."""
    rows = [[3, 0, 0] if topic % 2 else [1, 1, 1] for topic in TOPIC.tolist()]
    table = counts(rows, topic=TOPIC)
    wide = bootstrap_intervals(table, {"pairwise": pairwise_values}, by="topics", rng=2)["pairwise"]
    narrow = bootstrap_intervals(table, {"pairwise": pairwise_values}, by="items", rng=2)["pairwise"]
    assert (wide.high or 0) - (wide.low or 0) > 1.5 * ((narrow.high or 0) - (narrow.low or 0))


def test_the_same_seed_gives_the_same_ends_whatever_else_is_asked() -> None:
    table = counts(ROWS)
    alone = bootstrap_intervals(table, {"alpha": alpha_values}, rng=4)["alpha"]
    both = bootstrap_intervals(table, {"icc": icc_values, "alpha": alpha_values}, rng=4)["alpha"]
    assert alone == both
    value = krippendorff_alpha(table).value or 0
    assert alone.low is not None
    assert alone.low < value < (alone.high or 0)


def test_undefined_intervals_say_why() -> None:
    few = bootstrap_intervals(counts([[1, 1]] * 4), {"alpha": alpha_values}, rng=1)["alpha"]
    assert (few.low, few.reason) == (None, "Only 4 items to draw from; it takes 5.")
    single = bootstrap_intervals(counts([[1, 1]] * 4 + [[1, 0], [0, 1]] * 50), {"alpha": alpha_values}, rng=1)["alpha"]
    assert (single.low, single.reason) == (None, "Only 4 items to draw from; it takes 5.")
    enough = bootstrap_intervals(counts(ROWS[:5]), {"pairwise": pairwise_values}, rng=1)["pairwise"]
    assert enough.defined
    one = bootstrap_intervals(counts(ROWS, topic=np.zeros(60, dtype=int)), {"alpha": alpha_values}, by="topics", rng=1)[
        "alpha"
    ]
    assert one.reason == "Only 1 topic to draw from; it takes 5."
    alike = bootstrap_intervals(counts([[2, 0]] * 9 + [[1, 1]]), {"alpha": alpha_values}, rng=1)["alpha"]
    assert "too little varies" in alike.reason
    with pytest.raises(ValueError, match="which topic"):
        bootstrap_intervals(counts(ROWS), {"alpha": alpha_values}, by="topics", rng=1)
    with pytest.raises(ValueError, match="at least one draw"):
        bootstrap_intervals(counts(ROWS), {"alpha": alpha_values}, n_draws=0, rng=1)


def test_ends_are_drawn_values_themselves() -> None:
    """k = ⌊1000 · 0.025⌋ = 25: the 25th of 999."""
    assert percentile_ends(np.arange(999.0)[::-1], 0.95) == (24.0, 974.0, "")


@pytest.mark.parametrize("most", [1, 5, 40_000])
def test_patterns_hold_every_item(most: int) -> None:
    """Few patterns are counted in a table, more by sorting numbers, most by sorting rows."""
    rows = np.random.default_rng(1).integers(0, most + 1, (30, 6))
    table = GradeCounts(np.concatenate([rows, rows[:7]]), np.arange(6))
    patterns, times = table.patterns
    assert sorted(map(tuple, np.repeat(patterns, times, axis=0).tolist())) == sorted(map(tuple, table.counts.tolist()))
    assert len(patterns) == len({tuple(row) for row in rows.tolist()})
