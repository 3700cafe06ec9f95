"""Plain shares: exact and pairwise agreement."""

from pathlib import Path

import numpy as np
import pytest

from annotation.quality.agreement import agreement_by_topic, exact_agreement, pairwise_agreement
from annotation.quality.agreement.weights import Weights
from tests.annotation.quality.agreement.tables import counts, rated
from tests.annotation.quality.worked import worked_example

COUNTS = [[3, 0, 0], [2, 1, 0], [1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 2]]


def test_shares_by_hand() -> None:
    """Four pairs have two judgments or more: 3 alike, 2 : 1, 1 : 1 : 1, 2 alike → pairwise 1, 1/3, 0, 1."""
    exact, pairwise = exact_agreement(counts(COUNTS)), pairwise_agreement(counts(COUNTS))
    assert (exact.n_items, exact.n_judgments, exact.value) == (4, 11, 0.5)
    assert pairwise.value == pytest.approx((1 + 1 / 3 + 0 + 1) / 4, abs=1e-15)


def test_weighted_shares_by_hand() -> None:
    """Linear, 0 to 2: a step is worth 1/2. 2 : 1 → (1 + 1/2 + 1/2)/3; 1 : 1 : 1 → (1/2 + 1/2 + 0)/3."""
    agreement = pairwise_agreement(counts(COUNTS), weights=Weights.LINEAR)
    assert agreement.value == pytest.approx((1 + 2 / 3 + 1 / 3 + 1) / 4, abs=1e-15)


def test_shares_by_topic() -> None:
    agreement = agreement_by_topic(counts(COUNTS, topic=np.array([0, 0, 2, 2, 1, 2])), 4)
    assert agreement.n_pairs.tolist() == [2, 0, 2, 0]
    assert agreement.exact[[0, 2]].tolist() == [0.5, 0.5]
    assert agreement.pairwise[[0, 2]].tolist() == pytest.approx([2 / 3, 0.5], abs=1e-15)
    assert np.isnan(agreement.exact[[1, 3]]).all()
    assert np.isnan(agreement.pairwise[[1, 3]]).all()


@pytest.mark.shared
def test_worked_example_of_percent_agreement(shared_data: Path) -> None:
    example = worked_example(shared_data, "percent_agreement_4raters")
    agreement = pairwise_agreement(rated(example["input"]["ratings_by_rater"]))
    assert agreement.value == pytest.approx(example["expected"]["pa"], abs=example["tolerance"])
