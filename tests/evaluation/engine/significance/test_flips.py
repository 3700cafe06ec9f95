"""Columns of the identity matrix show the sign vectors themselves: each sum is one topic's sign."""

import itertools

import numpy as np
import pytest

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.flips import BLOCK, signed_sums


def signs(n_topics: int, n_flips: int, rng: int = 0) -> Floats:
    """(n_vectors, n_topics)"""
    return np.concatenate(list(signed_sums(np.eye(n_topics), n_flips=n_flips, rng=rng)), axis=1).T


@pytest.mark.parametrize("n_topics", [0, 1, 2, 5, 12, 13, 15])
def test_all_sign_vectors_are_listed_once(n_topics: int) -> None:
    value = np.zeros((n_topics, 0)) if n_topics == 0 else np.eye(n_topics)
    sums = np.concatenate(list(signed_sums(value, n_flips=2**n_topics, rng=0)), axis=1).T
    if n_topics == 0:
        assert sums.shape[0] == 1
        return
    assert sums[0].tolist() == [1.0] * n_topics
    assert {tuple(row) for row in sums.tolist()} == set(itertools.product([1.0, -1.0], repeat=n_topics))
    assert sums.shape[0] == 2**n_topics


def test_one_flip_fewer_than_all_is_drawn() -> None:
    assert signs(10, 1023).shape == (4 * BLOCK, 10)  # the identity and at least 1023 others
    assert signs(10, 1024).shape == (1024, 10)
    assert signs(10, 256).shape == (2 * BLOCK, 10)


def test_drawn_vectors_are_signs_with_the_identity_first() -> None:
    vectors = signs(40, 100_000)
    assert vectors.shape == (391 * BLOCK, 40)
    assert set(np.unique(vectors)) == {-1.0, 1.0}
    assert (vectors[0] == 1.0).all()


def test_the_first_block_is_a_group_and_the_others_are_cosets() -> None:
    blocks = signs(40, 1_000).reshape(-1, BLOCK, 40)
    group = {tuple(row) for row in blocks[0].tolist()}
    assert len(group) == BLOCK
    assert {tuple(row) for row in (blocks[0] * blocks[0][77]).tolist()} == group
    for block in blocks[1:]:
        own = {tuple(row) for row in (block * block[0]).tolist()}
        assert {tuple(row) for row in (block * block[5]).tolist()} == own
        assert tuple(blocks[0][0]) not in {tuple(row) for row in block.tolist()}


def test_drawn_vectors_are_uniform_and_independent_in_threes() -> None:
    """Over many blocks the products of one, two and three signs at chosen places of a block are as often + as −."""
    blocks = signs(30, 400 * BLOCK).reshape(-1, BLOCK, 30)[1:]  # (400, 256, 30)
    n = blocks.shape[0] * 30
    bound = 5 / np.sqrt(n)
    rng = np.random.default_rng(1)
    for _ in range(30):
        i, j, k = rng.choice(BLOCK, 3, replace=False)
        assert abs(blocks[:, i].mean()) < bound
        assert abs((blocks[:, i] * blocks[:, j]).mean()) < bound
        assert abs((blocks[:, i] * blocks[:, j] * blocks[:, k]).mean()) < bound


@pytest.mark.parametrize("n_topics", [17, 50, 3_000])
def test_sums_are_those_of_the_signs_for_every_column(n_topics: int) -> None:
    value = np.random.default_rng(2).normal(size=(n_topics, 3))
    sums = np.concatenate(list(signed_sums(value, n_flips=600, rng=4)), axis=1)
    assert sums[:, 0] == pytest.approx(value.sum(axis=0), abs=1e-11)
    assert sums == pytest.approx((signs(n_topics, 600, rng=4) @ value).T, abs=1e-10)


def test_at_least_one_flip() -> None:
    with pytest.raises(ValueError, match="at least one draw"):
        list(signed_sums(np.eye(3), n_flips=0, rng=0))
