"""Sums of clusters, put together again and again as blocks come, against sums by dict."""

from collections import defaultdict

import numpy as np
import polars as pl
import pytest

from annotation.formats.problems import FormatError, Problems
from evaluation.engine.ab_tests.bootstrap import Clusters
from evaluation.formats.log import clusters
from evaluation.formats.log.clusters import ClusterSums
from evaluation.formats.log.columns import Block


def blocks_of(frame: pl.DataFrame, size: int) -> list[Block]:
    return [
        Block(range(at + 2, min(at + size, frame.height) + 2), frame[at : at + size])
        for at in range(0, frame.height, size)
    ]


def made_frame(n_users: int = 90) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    user = rng.integers(0, n_users, 600)
    land = pl.Series(user % 3).replace_strict({0: "fi", 1: "nl", 2: "none"}, return_dtype=pl.String)
    arm = pl.Series(user % 2).replace_strict({0: "A", 1: "B"}, return_dtype=pl.String)
    return pl.DataFrame(
        {"arm": arm, "user": user.astype(str), "land": land, "m": rng.integers(0, 9, 600).astype(float)}
    )


@pytest.mark.parametrize("n_users", [5, 90], ids=["several rows of a cluster in a block", "few"])
def test_blocks_add_up_in_the_order_in_which_clusters_first_come(n_users: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "PENDING", 40)
    frame, problems = made_frame(n_users), Problems("log.csv")
    sums = ClusterSums("arm", "user", ["m"], ["land"])
    for block in blocks_of(frame, 17):
        sums.add(block)
    expected: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(dict)
    for arm, user, land, m in frame.rows():
        for place in ((arm,), (land, arm)):
            row = expected[place].setdefault(user, [0.0, 0.0])
            row[0] += m
            row[1] += 1
    by_variant, by_segment = sums.by_variant(problems), sums.by_segment("land", problems)
    blocks_together: dict[tuple[str, ...], Clusters] = {(arm,): one for arm, one in by_variant.items()}
    blocks_together |= {(land, arm): one for land, by in by_segment.items() for arm, one in by.items()}
    assert blocks_together.keys() == expected.keys()
    for at, one in blocks_together.items():
        assert one.sums.tolist() == list(expected[at].values())


def test_a_cluster_in_two_variants_is_refused_however_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "PENDING", 40)
    frame = made_frame().with_columns(
        arm=pl.when(pl.int_range(pl.len()) == 500).then(pl.lit("C")).otherwise(pl.col("arm"))  # in line 502
    )
    sums = ClusterSums("arm", "user", ["m"])
    for block in blocks_of(frame, 17):
        sums.add(block)
    first = frame["user"].to_list().index(frame["user"][500]) + 2
    with pytest.raises(FormatError) as refused:
        sums.by_variant(Problems("log.csv"))
    assert [(one.line, one.reason) for one in refused.value.problems] == [
        (502, f"the user of this row is in 'C', and in '{frame['arm'][first - 2]}' in line {first}")
    ]


def test_a_cluster_that_goes_to_and_fro_is_one_fault() -> None:
    frame = pl.DataFrame({"arm": ["A", "B"] * 3, "user": ["u"] * 6, "m": [1.0] * 6})
    others = pl.DataFrame({"arm": "A", "user": [str(n) for n in range(20)], "m": 1.0})
    frame = pl.concat([frame, others])
    sums = ClusterSums("arm", "user", ["m"])
    sums.add(*blocks_of(frame, frame.height))
    with pytest.raises(FormatError) as refused:
        sums.by_variant(Problems("log.csv"))
    assert [(one.line, one.reason) for one in refused.value.problems] == [
        (3, "the user of this row is in 'B', and in 'A' in line 2")
    ]
