"""Which documents may be among the nearest, where rough keys err as far as their bound says."""

import numpy as np
import pytest
import torch

from evaluation.engine.vectors.candidates import Floor, candidates
from evaluation.engine.vectors.screening import Rough, error_bound

KEYS = [0.6, 0.55, 0.501, 0.499, 0.1]
MOVED = 0.05  # of each document; the query stands where it was


def rough(keys: list[float], moved: float) -> Rough:
    one = torch.ones(len(keys), dtype=torch.float64)
    return Rough(torch.tensor(keys).view(-1, 1), moved * one, one, 0 * one)


@pytest.mark.parametrize(
    ("k", "possible"),
    [(1, [0, 1, 2]), (2, [0, 1, 2, 3]), (5, [0, 1, 2, 3, 4])],
    ids=["the best", "the best two", "all"],
)
def test_a_document_stays_while_it_and_the_kth_may_both_be_as_far_off_as_the_bound(k: int, possible: list[int]) -> None:
    """The first may be as low as .55, and what is rough .501 as high as .551."""
    query, document = rough([1.0], 0.0), rough(KEYS, MOVED)
    (error,) = error_bound(query, document).tolist()
    assert error == pytest.approx(MOVED, abs=1e-4)
    floor = Floor(torch.full((1, k), -torch.inf, dtype=torch.float64))
    buffer = torch.empty(100 * len(KEYS))
    (found,) = candidates(query, document, floor, own=np.array([-1]), buffer=buffer)
    assert found.document.tolist() == possible
    assert found.bound.tolist() == pytest.approx([KEYS[each] + error for each in possible])
    assert float(floor.lowest) == pytest.approx(sorted(KEYS)[-k] - error)


def test_what_is_left_out_raises_no_floor() -> None:
    query, document = rough([1.0], 0.0), rough(KEYS, MOVED)
    floor = Floor(torch.full((1, 1), -torch.inf, dtype=torch.float64))
    (found,) = candidates(query, document, floor, own=np.array([0]), buffer=torch.empty(100 * len(KEYS)))
    assert found.document.tolist() == [1, 2, 3]
    assert float(floor.lowest) == pytest.approx(0.5, abs=1e-3)
