"""Agreement and gold stretch by stretch, against the same computed apart."""

import numpy as np
import pytest

from annotation.quality.agreement import agreement_rows, counts_of_votes, krippendorff_alpha
from annotation.quality.alerts import Alert, alert_settings_of
from annotation.quality.alerts.agreement import falling_agreement
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.over_time import AgreementOverTime, accuracy_over_time, agreement_over_time
from annotation.quality.over_time.stretches import stretches
from annotation.quality.votes import Votes
from annotation.quality.wilson import wilson_interval
from tests.annotation.quality.alerts.figures import batch_figures
from tests.annotation.quality.build import inputs_of, table_of


def judged(n_pairs: int, right: list[float], seed: int = 3) -> Inputs:
    """Three people judge pairs one after the other; with the chance of their turn they give the true grade."""
    rng = np.random.default_rng(seed)
    rows = []
    for n in range(n_pairs):
        truth = int(rng.integers(0, 5))
        chance = right[n * len(right) // n_pairs]
        for name in ("Amber", "Birch", "Cedar"):
            grade = truth if rng.random() < chance else int(rng.integers(0, 5))
            rows.append(("1", f"d{n:04}", name, grade))
    return inputs_of(table_of(rows))


def over_time(inputs: Inputs, moment: Ints | None = None, *, least: int = 50) -> AgreementOverTime:
    table = inputs.table
    row = agreement_rows(inputs)
    return agreement_over_time(inputs, row, np.arange(len(table)) if moment is None else moment, least=least)


def test_stretches_are_of_about_equal_size_in_the_order_of_time() -> None:
    moment = np.array([5, 1, 4, 2, 3, 0, 6])
    assert [part.tolist() for part in stretches(moment, least=3)] == [[5, 1, 3, 4], [2, 0, 6]]
    assert [len(part) for part in stretches(np.arange(1000), least=30)] == [125] * 8
    assert [len(part) for part in stretches(np.arange(5), least=30)] == [5]
    assert stretches(np.array([], dtype=np.int64), least=30) == []


def test_each_stretch_has_the_alpha_of_its_own_pairs() -> None:
    inputs = judged(200, [0.9, 0.5])
    course = over_time(inputs, least=100)
    assert [point.n_pairs for point in course.stretches] == [100, 100]
    for i, point in enumerate(course.stretches):
        part = np.arange(300) + 300 * i
        table = inputs.table
        votes = Votes(np.arange(300) // 3, table.annotator[part], table.grade[part], 100)
        assert point.value == pytest.approx(krippendorff_alpha(counts_of_votes(votes, inputs.scale)).value)
        assert point.low is not None
        assert point.high is not None
        assert point.low < (point.value or 0) < point.high
        assert (point.begin, point.end) == (300 * i + 2, 300 * i + 299)  # a pair lies at its last judgment
    assert course.before is not None
    assert (course.before.value, course.before.n_pairs) == (course.stretches[0].value, 100)
    assert course.cumulative[-1].n_pairs == 200


def falls(inputs: Inputs) -> list[Alert]:
    return falling_agreement(batch_figures(agreement=over_time(inputs)), alert_settings_of({}))


def test_a_fall_is_seen_and_a_steady_campaign_is_not_accused() -> None:
    assert falls(judged(400, [0.9, 0.9, 0.9, 0.4]))
    assert falls(judged(400, [0.8])) == []
    assert falls(judged(400, [0.4, 0.9])) == []


def test_a_steady_campaign_is_accused_seldom() -> None:
    """Campaigns of the same quality throughout; docs/quality.md has the share among many more."""
    assert [seed for seed in range(8) if falls(judged(300, [0.7], seed))] == []


def test_everything_at_once_and_nothing_at_all() -> None:
    inputs = judged(60, [0.8])
    same = over_time(inputs, np.zeros(180, dtype=np.int64), least=1000)
    assert (len(same.stretches), same.before) == (1, None)
    nothing = inputs_of(table_of([]))
    assert over_time(nothing) == AgreementOverTime([], [], None)
    one = inputs_of(table_of([("1", "d", "Amber", 1)]))
    assert over_time(one).stretches == []


def test_gold_in_the_course_of_time_with_wilson_intervals() -> None:
    rows = [("g", f"G{n:03}", "Amber", 1 if n < 60 or n % 2 else 3) for n in range(80)]
    rows += [("g", "G000", "Birch", 3)]
    gold = {("g", f"G{n:03}"): 1 for n in range(80)}
    inputs = inputs_of(table_of(rows), gold=gold, excluded=["Birch"])
    points = accuracy_over_time(inputs, np.arange(81) * 10)
    assert [(p.n_gold, p.n_right, p.begin, p.end) for p in points] == [(40, 40, 0, 390), (40, 30, 400, 790)]
    interval = wilson_interval(np.array([30]), np.array([40]))
    assert (points[1].value, points[1].low, points[1].high) == (0.75, interval.low[0], interval.high[0])
    assert accuracy_over_time(inputs_of(table_of(rows)), np.arange(81)) == []
