"""Claim: exact search is no slower than faiss's IndexFlatIP, and 1.8 times as fast as a product followed by topk.

    python benchmarks/vectors.py [--scale 0.05] [--rounds 1] [--only 256,128]

Two workloads from a seed: 10,000 queries × 100,000 documents × 256 dimensions, and 1000 × 1,000,000 × 128, top 100 by
inner product; `--scale` is the part of the queries and of the documents. Contenders take turns, each in a process of
its own that loads the vectors, imports what it needs, and then takes the time of indexing and searching alone: wall
seconds, seconds of the processors (which a busy machine distorts less), and the memory that it took beyond the vectors,
MB. faiss rounds its scores to float32; its documents are compared with ours, but for ties at the end.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "var" / "bench"
SHAPES = {"256": (10_000, 100_000, 256), "128": (1000, 1_000_000, 128)}
K, CENTRES = 100, 1000
NAMES = ("Touchstone", "Touchstone, float32", "faiss IndexFlatIP", "product and topk")


def vector_files(shape: tuple[int, int, int]) -> tuple[Path, Path]:
    """Unit vectors around a thousand centres, so that scores are as skewed as those of texts."""
    files = tuple(WORK / f"vectors-{'x'.join(map(str, shape))}-{side}.npy" for side in ("queries", "documents"))
    rng = np.random.default_rng(7)
    centre = rng.standard_normal((CENTRES, shape[2]), dtype=np.float32)
    for file, n, noise in zip(files, shape[:2], (1.2, 1.0), strict=True):
        vector = np.empty((n, shape[2]), np.float32)
        for a in range(0, n, 100_000):
            part = vector[a : a + 100_000]
            part[:] = centre[rng.integers(0, CENTRES, len(part))]
            part += np.float32(noise) * rng.standard_normal(part.shape, dtype=np.float32)
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        np.save(file, vector)
    return files[0], files[1]


def by_touchstone(query: np.ndarray, document: np.ndarray, *, bfloat16: bool | None = None) -> Callable[[], np.ndarray]:
    sys.path.insert(0, str(ROOT))
    from evaluation.engine.vectors.search import Blocks, search  # noqa: PLC0415

    docno = [f"{n:08}" for n in range(len(document))]
    blocks = Blocks(bfloat16=bfloat16)
    return lambda: search(query, document, docno, k=K, similarity="inner", blocks=blocks).document


def by_faiss(query: np.ndarray, document: np.ndarray) -> Callable[[], np.ndarray]:
    import faiss  # noqa: PLC0415 -- each process loads its own alone

    def work() -> np.ndarray:
        index = faiss.IndexFlatIP(document.shape[1])
        index.add(document)
        return np.asarray(index.search(query, K)[1])

    return work


def by_topk(query: np.ndarray, document: np.ndarray) -> Callable[[], np.ndarray]:
    import torch  # noqa: PLC0415

    left, right = torch.from_numpy(query), torch.from_numpy(document)
    step = max(1, (1 << 28) // len(document) // 4)
    return lambda: torch.cat([(part @ right.T).topk(K, dim=1).indices for part in torch.split(left, step)]).numpy()


WORKS: dict[str, Callable[[np.ndarray, np.ndarray], Callable[[], np.ndarray]]] = {
    NAMES[0]: by_touchstone,
    NAMES[1]: lambda query, document: by_touchstone(query, document, bfloat16=False),
    NAMES[2]: by_faiss,
    NAMES[3]: by_topk,
}


def take_turn(name: str, *files: str) -> None:
    """In a process of its own: prints what it took, and leaves the documents in the last file."""
    query, document = (np.load(file) for file in files[:2])
    work = WORKS[name](query, document)
    WORKS[name](query[:8], document[:1000])()
    before = resource.getrusage(resource.RUSAGE_SELF)
    begin = time.perf_counter()
    place = work()
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    np.save(files[2], place)
    print(json.dumps({"wall": wall, "cpu": cpu, "memory": (after.ru_maxrss - before.ru_maxrss) >> 10}))


def compare(shape: tuple[int, int, int], rounds: int) -> None:
    files = vector_files(shape)
    out = WORK / "vectors-found.npy"
    turns: dict[str, list[dict[str, float]]] = {name: [] for name in NAMES}
    documents = {}
    for _ in range(rounds):
        for name in NAMES:
            command = [sys.executable, __file__, "--turn", name, *map(str, files), str(out)]
            turns[name].append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
            documents[name] = np.sort(np.load(out), axis=1)
    print(f"\n{shape[0]} × {shape[1]} × {shape[2]}\n{'':24}{'wall s':>9}{'cpu s':>9}{'MB':>7}{'ratio':>9}{'cpu':>8}")
    ours = {what: statistics.median(turn[what] for turn in turns[NAMES[0]]) for what in ("wall", "cpu")}
    for name, each in turns.items():
        wall, cpu = (statistics.median(turn[what] for turn in each) for what in ("wall", "cpu"))
        memory = max(turn["memory"] for turn in each)
        print(f"{name:24}{wall:9.2f}{cpu:9.2f}{memory:7.0f}{wall / ours['wall']:8.2f}×{cpu / ours['cpu']:7.2f}×")
    for file in (*files, out):
        file.unlink()
    same = (documents[NAMES[0]] == documents[NAMES[2]]).mean()
    print(f"{same:.4%} of the documents are faiss's")
    if same < 0.999 or (documents[NAMES[0]] != documents[NAMES[1]]).any():
        raise SystemExit("the documents differ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default=",".join(SHAPES), help="workloads")
    parser.add_argument("--turn", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.turn:
        take_turn(*chosen.turn)
        return
    WORK.mkdir(parents=True, exist_ok=True)
    print(f"scale {chosen.scale:g}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    for name in chosen.only.split(","):
        n_queries, n_documents, dim = SHAPES[name]
        compare((max(8, int(n_queries * chosen.scale)), max(1000, int(n_documents * chosen.scale)), dim), chosen.rounds)


if __name__ == "__main__":
    main()
