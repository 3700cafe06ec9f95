"""Exact means exact: the same bytes however the work is cut, `math.fsum`'s scores, and faiss's documents."""

import gzip
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import faiss
import numpy as np
import pytest
import torch
from sklearn.neighbors import NearestNeighbors

from evaluation.engine.vectors import search as search_module
from evaluation.engine.vectors.exact import Similarity
from evaluation.engine.vectors.product import multiply
from evaluation.engine.vectors.screening import error_bound, power_of_two, round_rows
from evaluation.engine.vectors.search import Blocks, search

SIMILARITIES: tuple[Similarity, ...] = ("cosine", "inner", "euclidean")
KINDS = ("plain", "near ties", "duplicates", "huge and tiny", "ordered by length", "all negative", "one direction")
CUTS = (
    Blocks(bfloat16=False),
    Blocks(bfloat16=True),
    Blocks(documents=97, queries=7, bfloat16=True),
    Blocks(documents=350, queries=13, bfloat16=False),
    Blocks(documents=301, queries=100, bfloat16=True),
    Blocks(documents=303, queries=6, bfloat16=False),  # the last has 94: fewer than k
    Blocks(documents=3, queries=20, bfloat16=False),
)


def vectors(kind: str, dim: int = 24) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(5)
    query, document = (rng.standard_normal((n, dim)).astype(np.float32) for n in (20, 700))
    if kind == "near ties":
        document = np.repeat(document[:70], 10, axis=0) * np.float32(1)
        document += (rng.random(document.shape) < 0.1) * np.spacing(document)
    if kind == "duplicates":
        document = document[rng.integers(0, 20, 700)]
    if kind == "ordered by length":  # the longest last, so that the floor rises block by block
        document *= np.linspace(0.1, 3, 700, dtype=np.float32)[:, None]
    if kind == "all negative":
        document, query = np.abs(document), -np.abs(query)
    if kind == "one direction":  # keys near 1, closer to each other than bfloat16 can tell
        document = document * np.float32(1e-4) + np.float32(1)
        query = query * np.float32(1e-4) + np.float32(1)
    if kind == "huge and tiny":
        document *= np.float32(10.0) ** rng.integers(-42, 37, (700, 1))
        document[~document.any(1)] = np.float32(1e-45)
        query *= np.float32(10.0) ** rng.integers(-38, 37, (20, 1))
    docno = [f"d{n}" for n in rng.permutation(700)]
    return query, document, docno


def by_fsum(query: np.ndarray, document: np.ndarray, similarity: Similarity) -> np.ndarray:
    """All scores, each sum rounded once."""
    left, right = query.astype(np.float64), document.astype(np.float64)
    if similarity == "euclidean":
        return -np.array([[math.sqrt(math.fsum(row)) for row in ((q - right) ** 2).tolist()] for q in left])
    product = np.array([[math.fsum(row) for row in (q * right).tolist()] for q in left])
    if similarity == "inner":
        return product
    length_of = [np.array([math.sqrt(math.fsum(row)) for row in (rows * rows).tolist()]) for rows in (left, right)]
    return np.asarray(product / length_of[0][:, None] / length_of[1])


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("kind", KINDS)
def test_blocks_and_types_change_no_byte_and_scores_are_those_of_fsum(kind: str, similarity: Similarity) -> None:
    query, document, docno = vectors(kind)
    every = search(query, document, docno, k=700, similarity=similarity)
    expected = by_fsum(query, document, similarity)
    scale = np.abs(expected).max(axis=1, keepdims=True)
    assert (np.abs(every.score - np.take_along_axis(expected, every.document, 1)) <= 1e-14 * scale).all()
    for row in range(20):
        names = [docno[d].encode() for d in every.document[row]]
        pairs = list(zip(every.score[row], names, strict=True))
        assert pairs == sorted(pairs, reverse=True)
        assert sorted(every.document[row]) == list(range(700))
    for k in (1, 10, 100):
        for cut in CUTS:
            nearest = search(query, document, docno, k=k, similarity=similarity, blocks=cut)
            assert nearest.document.tobytes() == every.document[:, :k].tobytes()
            assert nearest.score.tobytes() == every.score[:, :k].tobytes()


def written_sum(value: list[float]) -> float:
    """In the order that `exact` writes down."""
    while len(value) > 1:
        half = len(value) // 2
        first = [a + b for a, b in zip(value[:half], value[-half:], strict=True)]
        value = first + value[half : len(value) - half]
    return value[0]


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("dim", [1, 2, 3, 24, 37])
def test_each_score_is_that_of_a_written_loop_to_the_last_bit(dim: int, similarity: Similarity) -> None:
    query, document, docno = vectors("plain", dim)
    every = search(query, document, docno, k=700, similarity=similarity)
    for row in range(0, 20, 4):
        q = query[row].tolist()
        for place, score in zip(every.document[row].tolist(), every.score[row].tolist(), strict=True):
            d = document[place].tolist()
            expected = written_sum([a * b for a, b in zip(q, d, strict=True)])
            if similarity == "cosine":
                expected /= math.prod(math.sqrt(written_sum([a * a for a in side])) for side in (q, d))
            if similarity == "euclidean":
                expected = -math.sqrt(written_sum([(a - b) * (a - b) for a, b in zip(q, d, strict=True)]))
            assert score == expected


def test_the_same_documents_as_faiss() -> None:
    query, document, docno = vectors("plain")
    index = faiss.IndexFlatIP(24)
    index.add(document)
    score, place = index.search(query, 10)
    nearest = search(query, document, docno, k=10, similarity="inner")
    assert [set(row) for row in nearest.document] == [set(row) for row in place]
    assert np.allclose(nearest.score, score, atol=1e-5)


def test_own_documents_stay_out_and_fewer_than_k_leave_room() -> None:
    _, document, docno = vectors("plain")
    nearest = search(document[:5], document[:5], docno[:5], k=6, own=np.arange(5), blocks=Blocks(documents=2))
    assert (nearest.document == np.arange(5)[:, None]).sum() == 0
    assert (nearest.document[:, 4:] == -1).all()
    assert np.isneginf(nearest.score[:, 4:]).all()


def test_what_progress_raises_ends_the_search() -> None:
    def stop(done: int, total: int) -> None:
        raise InterruptedError(f"{done} of {total}")

    query, document, docno = vectors("plain")
    with pytest.raises(InterruptedError, match="14000 of 14000"):
        search(query, document, docno, k=3, progress=stop)


def test_what_fails_in_a_thread_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object, **_options: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(search_module, "candidates", full)
    query, document, docno = vectors("plain")
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(search, query, document, docno, k=3, blocks=Blocks(queries=1))
        with pytest.raises(MemoryError, match="no room"):
            job.result(timeout=60)


@pytest.mark.parametrize(("k", "similarity"), [(0, "cosine"), (3, "dot")])
def test_wrong_requests_are_refused(k: int, similarity: Similarity) -> None:
    query, document, docno = vectors("plain")
    with pytest.raises(ValueError, match="k is at least 1"):
        search(query, document, docno, k=k, similarity=similarity)


@pytest.mark.parametrize("bfloat16", [False, True])
@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_rows_without_a_score_are_refused(similarity: Similarity, bfloat16: bool) -> None:
    query, document, docno = vectors("plain")
    blocks = Blocks(bfloat16=bfloat16)
    for wrong in (np.nan, np.inf, 0.0)[: 3 if similarity == "cosine" else 2]:
        for side in (query, document):
            kept, side[3] = side[3].copy(), wrong
            with pytest.raises(ValueError, match="it has no score"):
                search(query, document, docno, k=3, similarity=similarity, blocks=blocks)
            side[3] = kept


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_float64_is_rounded_to_float32(similarity: Similarity) -> None:
    rng = np.random.default_rng(2)
    query, document = rng.standard_normal((5, 9)), rng.standard_normal((60, 9))
    docno = [str(n) for n in range(60)]
    ours = search(query, document, docno, k=8, similarity=similarity)  # type: ignore[arg-type]
    rounded = search(query.astype(np.float32), document.astype(np.float32), docno, k=8, similarity=similarity)
    assert (ours.document.tobytes(), ours.score.tobytes()) == (rounded.document.tobytes(), rounded.score.tobytes())


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_threads_change_no_byte(similarity: Similarity) -> None:
    query, document, docno = vectors("near ties")
    blocks, before = Blocks(documents=100, queries=3), torch.get_num_threads()
    results = []
    try:
        for count in (1, 2, 5):
            torch.set_num_threads(count)
            results.append(search(query, document, docno, k=30, similarity=similarity, blocks=blocks))
            with ThreadPoolExecutor(1) as pool:  # a new thread gets what torch has for all
                assert (torch.get_num_threads(), pool.submit(torch.get_num_threads).result()) == (count, count)
    finally:
        torch.set_num_threads(before)
    assert len({(one.document.tobytes(), one.score.tobytes()) for one in results}) == 1


@pytest.mark.parametrize("one_by_one", [False, True])
def test_float32_is_whole_whatever_torch_is_set_to_and_stays_set_to_it(one_by_one: bool) -> None:
    """`torch.set_float32_matmul_precision`, or a backend's own setting, after which torch refuses to say the former."""
    backends = torch.backends.cuda.matmul, torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
    before = torch.get_float32_matmul_precision(), *(each.fp32_precision for each in backends)
    query, document, docno = vectors("plain")
    expected = search(query, document, docno, k=9, blocks=Blocks(bfloat16=False))
    seen: list[str] = []
    try:
        if one_by_one:
            backends[0].fp32_precision, backends[1].fp32_precision = "tf32", "bf16"
        else:
            torch.set_float32_matmul_precision("medium")
        settings = [each.fp32_precision for each in backends]

        def note(_done: int, _total: int) -> None:
            seen.extend((torch.get_float32_matmul_precision(), *(each.fp32_precision for each in backends)))

        ours = search(query, document, docno, k=9, blocks=Blocks(bfloat16=False), progress=note)
        assert [each.fp32_precision for each in backends] == settings
    finally:
        torch.set_float32_matmul_precision(before[0])
        for each, value in zip(backends, before[1:], strict=True):
            each.fp32_precision = value
    assert (settings, seen) == (["tf32", "bf16"], ["highest", "ieee", "ieee"])
    assert ours.document.tobytes() == expected.document.tobytes()


@pytest.mark.parametrize("less", ["another processor", "less exact", "no such product", "another product"])
def test_without_onednn_the_same_bytes(less: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which may round float32 further where the environment says so."""
    query, document, docno = vectors("near ties")
    expected = search(query, document, docno, k=30, blocks=Blocks(bfloat16=False))
    if less == "another processor":
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "DEFAULT")
    elif less == "less exact":
        monkeypatch.setenv("ONEDNN_DEFAULT_FPMATH_MODE", "BF16")
    elif less == "no such product":
        monkeypatch.setattr(torch.ops, "mkldnn", None)
    else:
        monkeypatch.setattr(torch.ops, "mkldnn", SimpleNamespace(_linear_pointwise=lambda document, query: document))
    products: list[tuple[int, ...]] = []
    multiply_by_mkl = torch.mm

    def mm(*sides: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        products.append(tuple(out.shape))
        return multiply_by_mkl(*sides, out=out)

    monkeypatch.setattr(torch, "mm", mm)
    monkeypatch.delattr(torch.cpu, "_is_avx512_bf16_supported")  # which is no more promised
    ours = search(query, document, docno, k=30)
    assert products == [(700, 20)]
    assert (ours.document.tobytes(), ours.score.tobytes()) == (expected.document.tobytes(), expected.score.tobytes())


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_shards_merged_are_the_whole(similarity: Similarity) -> None:
    query, document, docno = vectors("duplicates")
    whole = search(query, document, docno, k=40, similarity=similarity)
    parts = [
        (a, search(query, document[a : a + 300], docno[a : a + 300], k=40, similarity=similarity))
        for a in (0, 300, 600)
    ]
    for row in range(20):
        pairs = [
            (score, docno[a + place].encode(), a + place)
            for a, part in parts
            for score, place in zip(part.score[row], part.document[row], strict=True)
            if place >= 0
        ]
        merged = sorted(pairs, reverse=True)[:40]
        assert [place for _, _, place in merged] == whole.document[row].tolist()
        assert [score for score, _, _ in merged] == whole.score[row].tolist()


def test_many_near_ties_are_scored_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    query, document, docno = vectors("one direction")
    whole = search(query, document, docno, k=9)
    monkeypatch.setattr(search_module, "PAIRS", 50)
    monkeypatch.setattr("evaluation.engine.vectors.candidates.PIECE", 40)
    pieces = search(query, document, docno, k=9, blocks=Blocks(documents=170, queries=6))
    assert (whole.document.tobytes(), whole.score.tobytes()) == (pieces.document.tobytes(), pieces.score.tobytes())


@pytest.mark.parametrize("bfloat16", [False, True])
def test_rows_multiplied_at_a_time_change_no_byte(bfloat16: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last ones are fewer, and the documents left out stand in different ones."""
    _, document, docno = vectors("plain")
    own = np.arange(0, 700, 35)
    blocks = Blocks(bfloat16=bfloat16)
    whole = search(document[own], document, docno, k=9, own=own, blocks=blocks)
    assert not (whole.document == own[:, None]).any()
    monkeypatch.setattr("evaluation.engine.vectors.candidates.AT_ONCE", 96)
    pieces = search(document[own], document, docno, k=9, own=own, blocks=blocks)
    assert (whole.document.tobytes(), whole.score.tobytes()) == (pieces.document.tobytes(), pieces.score.tobytes())


@pytest.mark.parametrize("kind", ["plain", "one direction", "huge and tiny"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("n", [(20, 700), (1, 700), (20, 1), (1, 1), (3, 33)])
def test_no_rough_key_is_further_from_the_truth_than_its_bound(
    kind: str, dtype: torch.dtype, similarity: Similarity, n: tuple[int, int]
) -> None:
    query, document, _ = vectors(kind, dim=67)
    query, document = query[: n[0]], document[: n[1]]
    powers = power_of_two(torch.from_numpy(query)), power_of_two(torch.from_numpy(document))
    scales = {"cosine": (None, None), "inner": powers, "euclidean": (max(powers),) * 2}[similarity]
    extra = ("one", "offset") if similarity == "euclidean" else ("", "")
    left, right = (
        round_rows(torch.from_numpy(side), scale, dtype, kind)
        for side, scale, kind in zip((query, document), scales, extra, strict=True)
    )
    stored = torch.empty((n[1], n[0]), dtype=dtype)
    multiply(right.vector, left.vector, out=stored)
    key = stored.T.double()
    exact = [
        side.astype(np.float64) / (scale or np.linalg.norm(side.astype(np.float64), axis=1, keepdims=True))
        for side, scale in zip((query, document), scales, strict=True)
    ]
    truth = exact[0] @ exact[1].T
    if similarity == "euclidean":
        truth -= np.square(exact[1]).sum(1) / 2
    rounding = key.abs() * (2.0**-8 if dtype == torch.bfloat16 else 0)
    assert ((key - torch.from_numpy(truth)).abs() <= error_bound(left, right)[:, None] + rounding).all()


def test_empty_sides_give_empty_rows() -> None:
    none = np.zeros((0, 4), np.float32)
    assert search(none, np.ones((3, 4), np.float32), ["a", "b", "c"], k=2).document.shape == (0, 2)
    assert search(np.ones((3, 4), np.float32), none, [], k=2).document.tolist() == [[-1, -1]] * 3


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 700, 1), (5, 3, 2), (7, 40, 130)])
def test_odd_shapes_against_all_scores(shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(8)
    query, document = (rng.standard_normal((n, shape[2])).astype(np.float32) for n in shape[:2])
    docno = [f"{n:04}" for n in range(shape[1])]
    nearest = search(query, document, docno, k=3, similarity="inner")
    expected = by_fsum(query, document, "inner")
    for row, scores in enumerate(expected):
        best = sorted(range(shape[1]), key=lambda d: (-scores[d], -d))[:3]
        assert [d for d in nearest.document[row] if d >= 0] == best


def test_the_same_documents_as_scikit_learn_by_distance() -> None:
    query, document, docno = vectors("plain")
    distance, place = NearestNeighbors(n_neighbors=10, algorithm="brute").fit(document).kneighbors(query)
    nearest = search(query, document, docno, k=10, similarity="euclidean")
    assert nearest.document.tolist() == place.tolist()
    assert np.allclose(-nearest.score, distance, atol=1e-5)


@pytest.mark.shared
def test_cranfield_as_dense_minilm(shared_data: Path) -> None:
    folder = shared_data / "cranfield" / "embeddings"
    query, document = np.load(folder / "queries.f32.npy"), np.load(folder / "docs.f32.npy")
    numbers, docno = ((folder / f"{side}.ids.txt").read_text().split() for side in ("queries", "docs"))
    rows: dict[str, dict[str, float]] = {}
    with gzip.open(shared_data / "cranfield" / "runs" / "dense-minilm.run.gz", "rt") as lines:
        for line in lines:
            number, _, name, _, score, _ = line.split()
            rows.setdefault(number, {})[name] = float(score)
    nearest = search(query, document, docno, k=len(rows[numbers[0]]), similarity="inner")
    for row, number in enumerate(numbers):
        ours = {docno[d]: score for d, score in zip(nearest.document[row], nearest.score[row], strict=True)}
        assert ours.keys() == rows[number].keys()
        assert max(abs(ours[name] - score) for name, score in rows[number].items()) < 1e-5


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no graphics card")
@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bfloat16", [False, True])
def test_a_graphics_card_changes_no_byte(kind: str, similarity: Similarity, bfloat16: bool) -> None:
    query, document, docno = vectors(kind)
    here = search(query, document, docno, k=30, similarity=similarity)
    blocks = Blocks(documents=301, queries=7, bfloat16=bfloat16, device="cuda")
    there = search(query, document, docno, k=30, similarity=similarity, blocks=blocks)
    assert (there.document.tobytes(), there.score.tobytes()) == (here.document.tobytes(), here.score.tobytes())
