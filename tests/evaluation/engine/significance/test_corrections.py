from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.engine.significance.corrections import CORRECTIONS, Correction, adjusted
from tests.annotation.quality.worked import worked_example

# Benjamini and Hochberg, JRSS B 57, 1995, § 2.2: 15 comparisons of the rt-PA trial. At 5 % Bonferroni finds 3,
# their procedure 4.
RT_PA = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip
SOME_P = st.lists(st.floats(0, 1), max_size=20)


@pytest.mark.shared
def test_worked_example_of_holm(shared_data: Path) -> None:
    example = worked_example(shared_data, "holm_wikipedia_4p")
    p_values = adjusted(example["input"]["p"], "holm")
    assert p_values == pytest.approx(example["expected"]["adjusted"], abs=example["tolerance"])
    assert (p_values <= example["input"]["alpha"]).tolist() == example["expected"]["reject"]


@pytest.mark.parametrize(
    ("correction", "n"),
    [("none", 9), ("bonferroni", 3), ("holm", 3), ("hochberg", 3), ("hommel", 3), ("bh", 4), ("by", 3)],
)
def test_the_example_of_benjamini_and_hochberg(correction: Correction, n: int) -> None:
    assert np.count_nonzero(adjusted(RT_PA, correction) <= 0.05) == n


@given(SOME_P)
def test_false_discovery_rates_are_scipys(p: list[float]) -> None:
    if p:
        assert adjusted(p, "bh") == pytest.approx(stats.false_discovery_control(p, method="bh"), rel=1e-12)
        assert adjusted(p, "by") == pytest.approx(stats.false_discovery_control(p, method="by"), rel=1e-12)


@given(SOME_P, st.floats(0.001, 0.999))
def test_holm_is_the_step_down_procedure(p: list[float], alpha: float) -> None:
    """As the paper tells it: go up the p; reject while p ≤ alpha / (tests left); stop at the first that is above."""
    rejected = [False] * len(p)
    for k, at in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        if p[at] * (len(p) - k) > alpha:
            break
        rejected[at] = True
    assert (adjusted(p, "holm") <= alpha).tolist() == rejected


@given(SOME_P, st.floats(0.001, 0.999))
def test_hochberg_is_the_step_up_procedure(p: list[float], alpha: float) -> None:
    """As the paper tells it: go down the p from the greatest; once p ≤ alpha / (tests gone through), reject it and all
    that are smaller."""
    rejected = [False] * len(p)
    downwards = sorted(range(len(p)), key=lambda i: -p[i])
    for gone, at in enumerate(downwards):
        if p[at] * (gone + 1) <= alpha:
            for smaller in downwards[gone:]:
                rejected[smaller] = True
            break
    assert (adjusted(p, "hochberg") <= alpha).tolist() == rejected


def simes(p: tuple[float, ...]) -> float:
    return min(len(p) * each / rank for rank, each in enumerate(sorted(p), 1))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_hommel_is_closed_testing_by_simes(p: list[float]) -> None:
    """Every set of hypotheses is tested, all 127 of seven."""
    every = [some for size in range(1, len(p) + 1) for some in combinations(range(len(p)), size)]
    expected = [max(simes(tuple(p[j] for j in some)) for some in every if i in some) for i in range(len(p))]
    assert adjusted(p, "hommel").tolist() == pytest.approx(expected, rel=1e-12)


@given(SOME_P)
def test_what_all_have_in_order(p: list[float]) -> None:
    adjustments = {name: adjust(p) for name, adjust in CORRECTIONS.items()}
    for values in adjustments.values():
        assert ((values >= np.array(p)) & (values <= 1)).all()
    assert (adjustments["bh"] <= adjustments["holm"] + 1e-15).all()
    assert (adjustments["holm"] <= adjustments["bonferroni"]).all()
    assert (adjustments["bh"] <= adjustments["by"]).all()
    assert (adjustments["bh"] <= adjustments["hommel"] + 1e-15).all()
    assert (adjustments["hommel"] <= adjustments["hochberg"] + 1e-15).all()
    assert (adjustments["hochberg"] <= adjustments["holm"] + 1e-15).all()


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_one_test_is_left_alone_and_none_gives_none(correction: Correction) -> None:
    assert adjusted([0.03], correction).tolist() == [0.03]
    assert adjusted([], correction).tolist() == []


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("p", [[np.nan], [-0.1], [1.1]])
def test_p_lies_between_0_and_1(correction: Correction, p: list[float]) -> None:
    with pytest.raises(ValueError, match="every p lies between 0 and 1"):
        adjusted([0.5, *p], correction)


def test_what_is_not_known() -> None:
    with pytest.raises(ValueError, match="none, bonferroni, holm, hochberg, hommel, bh, by, not 'sidak'"):
        adjusted([0.5], "sidak")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\(n_tests,\)"):
        adjusted([[0.5]], "holm")
