"""Claim: two workers search a corpus in parts nearly twice as fast as one, and merging costs little beside searching.

    python benchmarks/shards.py [--parts 16] [--rows 20000] [--queries 2000] [--dim 128] [--rounds 1]

A corpus of `--parts` parts in `var/bench`, top 100 by inner product. Ways take turns, each from nothing found yet: in
this process with one thread; one worker of Dask with one thread; two of them. Starting workers and their imports are
not counted: each way begins with a part of its own. Efficiency of n workers: the seconds of one worker over n times
theirs. The merge: so many results as there are parts, merged in this process. Load distorts the wall's seconds more
than those of the processors.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
WORK = ROOT / "var" / "bench" / "shards"

from evaluation.formats.shards.finished import Executor, in_this_process  # noqa: E402
from evaluation.formats.shards.merge import groups, merge_results  # noqa: E402
from evaluation.formats.shards.parts import parts_of  # noqa: E402
from evaluation.formats.shards.search import search_shards  # noqa: E402
from evaluation.formats.shards.store import Store  # noqa: E402
from evaluation.formats.shards.work import RESULT, SearchRequest, search_part, store_queries  # noqa: E402
from evaluation.management.cluster import local_workers, on  # noqa: E402

K = 100


def write_corpus(n_parts: int, rows: int, dim: int) -> None:
    rng = np.random.default_rng(7)
    for part in range(n_parts + 1):  # the last is what a way begins with
        folder = WORK / ("corpus" if part < n_parts else "first")
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / f"{part:05}.npy", rng.standard_normal((rows, dim), dtype=np.float32))
        (folder / f"{part:05}.ids.txt").write_text("".join(f"d{part}-{n}\n" for n in range(rows)))


Way = tuple[Executor, Callable[[], float]]  # with the seconds that its processors have worked


@contextmanager
def alone() -> Iterator[Way]:
    yield in_this_process, time.process_time


def workers(n: int) -> Callable[[], AbstractContextManager[Way]]:
    @contextmanager
    def way() -> Iterator[Way]:
        with local_workers(n) as client:
            yield on(client), lambda: sum(client.run(time.process_time).values())

    return way


WAYS = {"this process": (alone, 1), "1 worker": (workers(1), 1), "2 workers": (workers(2), 2)}


def asked(query: np.ndarray) -> SearchRequest:
    """Of nothing found yet."""
    results = WORK / "results"
    shutil.rmtree(results, ignore_errors=True)
    sha = store_queries(Store(str(results)), query, [f"q{n}" for n in range(len(query))])
    return SearchRequest(str(WORK / "corpus"), str(results), sha, K, "inner", threads=1)


def seconds_of(
    way: Callable[[], AbstractContextManager[Way]], n_workers: int, query: np.ndarray
) -> tuple[float, float]:
    """Seconds of the wall and of the processors for searching and merging."""
    request = asked(query)
    with way() as (executor, worked):
        part = parts_of(Store(str(WORK / "first")))[0]
        first = [(replace(request, corpus=str(WORK / "first"), k=k), part) for k in range(1, 2 * n_workers + 1)]
        list(executor(search_part, first))
        begin, before = time.perf_counter(), worked()
        search_shards(request, executor)
        return time.perf_counter() - begin, worked() - before


def merge_seconds(query: np.ndarray) -> tuple[float, int]:
    """Seconds of the processors for merging the results of all parts, and their megabytes."""
    request = asked(query)
    keys = [search_part((request, part)).result for part in parts_of(Store(request.corpus))]
    size = sum((WORK / "results" / (key + RESULT)).stat().st_size for key in keys)
    begin = time.process_time()
    for group in groups(keys):
        merge_results((request.results, group, K))
    return time.process_time() - begin, size >> 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("parts", 16), ("rows", 20_000), ("queries", 2000), ("dim", 128), ("rounds", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    write_corpus(chosen.parts, chosen.rows, chosen.dim)
    query = np.random.default_rng(8).standard_normal((chosen.queries, chosen.dim), dtype=np.float32)
    print(
        f"{chosen.queries} queries, {chosen.parts} parts of {chosen.rows} × {chosen.dim}; {os.cpu_count()} cores, ",
        end="",
    )
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in WAYS}
    for _ in range(chosen.rounds):
        for name, (way, n_workers) in WAYS.items():
            turns[name].append(seconds_of(way, n_workers, query))
    wall, cpu = ({name: statistics.median(turn[i] for turn in each) for name, each in turns.items()} for i in (0, 1))
    for name, (_, n_workers) in WAYS.items():
        efficiency = wall["1 worker"] / (n_workers * wall[name])
        print(f"{name:14}{wall[name]:8.2f} s of the wall, {cpu[name]:6.2f} of processors, efficiency {efficiency:.2f}")
    seconds, megabytes = merge_seconds(query)
    pairs = chosen.parts * chosen.rows * chosen.queries
    share = seconds / cpu["this process"]
    print(f"merge of {chosen.parts} results, {megabytes} MB: {seconds:.2f} s, {share:.1%} of the work in one thread")
    print(f"{pairs / cpu['this process'] / 1e6:.0f} million pairs a second in one thread")
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
