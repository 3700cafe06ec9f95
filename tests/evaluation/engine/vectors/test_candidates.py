"""Which documents may be among the nearest, where rough keys err as far as their bound says."""

import numpy as np
import pytest
import torch

from evaluation.engine.vectors.candidates import Floor, candidates, highest
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
    (shortlist,) = candidates(query, document, floor, own=np.array([-1]), buffer=buffer)
    assert shortlist.document.tolist() == possible
    assert shortlist.bound.tolist() == pytest.approx([KEYS[each] + error for each in possible])
    assert float(floor.lowest) == pytest.approx(sorted(KEYS)[-k] - error)


def test_what_is_left_out_raises_no_floor() -> None:
    query, document = rough([1.0], 0.0), rough(KEYS, MOVED)
    floor = Floor(torch.full((1, 1), -torch.inf, dtype=torch.float64))
    (shortlist,) = candidates(query, document, floor, own=np.array([0]), buffer=torch.empty(100 * len(KEYS)))
    assert shortlist.document.tolist() == [1, 2, 3]
    assert float(floor.lowest) == pytest.approx(0.5, abs=1e-3)


def test_the_bound_has_what_either_side_was_moved_by_times_the_length_of_the_other() -> None:
    """|q̂ − q̃| |d̂| + |q̃| |d̂ − d̃|, where |q̃| is at most the query's length and what it was moved by."""
    query, document = rough([1.0], 0.03), rough(KEYS, MOVED)
    document.length.mul_(2)
    assert error_bound(query, document).tolist() == pytest.approx([0.03 * 2 + (1 + 0.03) * MOVED], abs=1e-4)
    assert error_bound(query, rough(KEYS, 0.0)).tolist() == pytest.approx([0.03], abs=1e-4)


@pytest.mark.parametrize("rest", [2.0**-8 * (1 - 2.0**-7), 2.0**-8 * (1 + 2.0**-7)], ids=["down", "up"])
def test_a_key_that_was_stored_as_bfloat16_may_be_off_by_half_of_its_last_bit(rest: float) -> None:
    """1 + 2^-8, all but nothing, is stored as 1, and with a little more as 1 + 2^-7."""
    one = torch.ones(1, dtype=torch.float64)
    query = Rough(torch.ones((1, 2), dtype=torch.bfloat16), 0 * one, one, 0 * one)
    document = Rough(torch.tensor([[1.0, rest]], dtype=torch.bfloat16), 0 * one, one, 0 * one)
    assert document.vector.double().sum() == 1 + rest
    floor = Floor(torch.full((1, 1), -torch.inf, dtype=torch.float64))
    buffer = torch.empty(100, dtype=torch.bfloat16)
    (shortlist,) = candidates(query, document, floor, own=np.array([-1]), buffer=buffer)
    assert float(floor.lowest) <= 1 + rest <= float(shortlist.bound)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_the_highest_of_a_row_whatever_their_signs(dtype: torch.dtype) -> None:
    value = torch.randn((5, 200), generator=torch.Generator().manual_seed(3)).to(dtype)
    value[0] = -value[0].abs()
    value[1, :190] = -torch.inf
    value[2, :100] = 0.0
    for k in (1, 20, 200, 203):
        expected = torch.nn.functional.pad(value.double(), (0, 3), value=-torch.inf).sort(1, descending=True)[0][:, :k]
        assert torch.equal(highest(value, k).sort(1, descending=True)[0], expected)
