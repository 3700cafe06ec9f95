import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.engine import arrays
from evaluation.engine.arrays import by_topic, sort_within, sorted_within, starts, topic_of_row

SEGMENTS = st.lists(st.lists(st.integers(-5, 5), min_size=1, max_size=70), min_size=1, max_size=9)


@given(SEGMENTS, st.booleans())
def test_each_topic_is_sorted_by_itself(segments: list[list[int]], decimal: bool) -> None:
    whole = np.array([k for segment in segments for k in segment])
    key = whole / 2 if decimal else whole
    start = np.cumsum([0, *map(len, segments)])
    order = sort_within(start, key)
    assert key[order].tolist() == [k / 2 if decimal else k for segment in segments for k in sorted(segment)]
    assert sorted(order.tolist()) == list(range(key.size))


@given(SEGMENTS)
def test_values_are_sorted_in_each_topic(segments: list[list[int]]) -> None:
    values = np.array([k + 5 for segment in segments for k in segment], np.uint64)
    result = sorted_within(np.cumsum([0, *map(len, segments)]), values)
    assert result.tolist() == [k + 5 for segment in segments for k in sorted(segment)]


def test_tables_cover_all_topics() -> None:
    key, start = np.random.default_rng(1).permutation(5000), np.append(np.arange(0, 4991, 5), 5000)
    tables = list(arrays._tables(start, cells=32))
    assert {at.shape for at, _ in tables} == {(4, 5), (2, 5), (1, 10)}
    assert sorted(row for at, real in tables for row in at[real].tolist()) == list(range(5000))
    in_order = key[sort_within(start, key)]
    assert (np.diff(in_order[:-10].reshape(-1, 5)) > 0).all()
    assert (np.diff(in_order[-10:]) > 0).all()


def test_more_topics_than_sixteen_bits_hold_are_brought_together() -> None:
    topic = np.random.default_rng(1).integers(0, 70_000, 200_000).astype(np.int32)
    order = by_topic(topic, 70_000)
    assert order is not None
    assert (order == np.argsort(topic, kind="stable")).all()


def test_topics_brought_together_keep_their_order_within() -> None:
    topic = np.array([2, 0, 2, 1, 0], np.int32)
    assert starts(topic, 3).tolist() == [0, 2, 3, 5]
    order = by_topic(topic, 3)
    assert order is not None
    assert order.tolist() == [1, 4, 3, 0, 2]
    assert by_topic(topic[order], 3) is None
    assert topic_of_row(starts(topic, 3)).tolist() == [0, 0, 1, 2, 2]
