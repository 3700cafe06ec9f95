import numpy as np
import pytest

from evaluation.engine.pooling import RRF_K, pool, pool_counts
from tests.evaluation.engine.made import Scores, made_run, random_case


def pooled_by_hand(runs: list[Scores], depth: int, numbers: list[str]) -> list[tuple[str, str, int, int]]:
    """Over dictionaries, one document at a time."""
    rows = []
    for number in sorted(set(numbers), key=str.encode):
        ranks: dict[str, list[int]] = {}
        for run in runs:
            ranking = sorted(run.get(number, {}).items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
            for rank, (docno, _) in enumerate(ranking[:depth], 1):
                ranks.setdefault(docno, []).append(rank)
        fused = {
            docno: np.add.accumulate([1 / (RRF_K + rank) for rank in places])[-1] for docno, places in ranks.items()
        }
        order = sorted(ranks, key=lambda docno: (fused[docno], docno.encode()), reverse=True)
        rows += [(number, docno, min(ranks[docno]), len(ranks[docno])) for docno in order]
    return rows


@pytest.mark.parametrize("depth", [1, 3, 10, 1000])
@pytest.mark.parametrize("seed", range(12))
def test_the_pool_is_that_of_a_plain_program(seed: int, depth: int) -> None:
    runs = [random_case(seed * 10 + i)[1] for i in range(4)]
    numbers = sorted({number for run in runs for number in run})
    packed = [made_run(run) for run in runs]
    for chosen in (numbers, [*numbers[::2], "no such topic"]):
        pairs = pool(packed, depth=depth, numbers=chosen)
        rows = zip(pairs.number, pairs.docno, pairs.best_rank.tolist(), pairs.n_runs.tolist(), strict=True)
        expected = pooled_by_hand(runs, depth, chosen)
        assert list(rows) == expected
        counts = pool_counts(packed, depth=depth, numbers=chosen)
        assert counts == {n: sum(row[0] == n for row in expected) for n in chosen}
    assert len(pool(packed, depth=depth)) == sum(pool_counts(packed, depth=depth).values())


def test_documents_of_one_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.formats.text._mix", np.zeros_like)
    runs = [made_run({"1": {"a": 3.0, "b": 2.0}}), made_run({"1": {"b": 3.0, "a": 2.0, "c": 1.0}})]
    pairs = pool(runs, depth=3)
    assert list(zip(pairs.docno, pairs.n_runs.tolist(), strict=True)) == [("b", 2), ("a", 2), ("c", 1)]
    assert pool_counts(runs, depth=3) == {"1": 3}


@pytest.mark.parametrize(
    ("options", "reason"), [({"depth": 0}, "at least 1, not 0"), ({"depth": 5, "numbers": []}, "at least one topic")]
)
def test_a_pool_of_nothing_is_refused(options: dict[str, int], reason: str) -> None:
    for function in (pool, pool_counts):
        with pytest.raises(ValueError, match=reason):
            function([made_run({"1": {"a": 1.0}})], **options)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="at least one run"):
            function([], depth=5)


def test_topics_that_no_run_has_give_nothing() -> None:
    run = made_run({"1": {"a": 1.0}})
    assert len(pool([run], depth=5, numbers=["7"])) == 0
    assert pool_counts([run], depth=5, numbers=["7"]) == {"7": 0}
