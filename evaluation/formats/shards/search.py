"""All parts of a corpus searched and merged."""

from dataclasses import dataclass

from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.run import PackedRun, load_run
from evaluation.formats.shards.finished import Executor, finish_parts, in_this_process
from evaluation.formats.shards.ids import require_different
from evaluation.formats.shards.merge import groups, merge_results
from evaluation.formats.shards.parts import parts_of
from evaluation.formats.shards.store import Store
from evaluation.formats.shards.work import RESULT, SearchRequest, search_part


@dataclass(frozen=True)
class ShardedSearch:
    run: PackedRun
    n_parts: int
    n_searched: int  # this time


def search_shards(
    request: SearchRequest,
    executor: Executor = in_this_process,
    *,
    progress: WordlessWatch = say_nothing,
) -> ShardedSearch:
    """The run of all parts: the same bytes, packed, as one search of all of their documents together.

    `progress` as in `finish_parts`. Raises `ValueError` where there is no part, or a document is in two;
    `FormatError` for what is wrong with parts.
    """
    corpus, results = Store(request.corpus), Store(request.results)
    parts = parts_of(corpus)
    finished = finish_parts(request, parts, search_part, executor, progress)
    require_different(corpus, results, parts, finished.hashes, executor)
    key = _merged(request, finished.keys, executor)
    return ShardedSearch(load_run(results.read_result(key + RESULT)), len(parts), finished.n_new)


def _merged(request: SearchRequest, keys: list[str], executor: Executor) -> str:
    """The key of the merged run: level by level, the groups of a level side by side."""
    while len(keys) > 1:
        keys = sorted(executor(merge_results, [(request.results, group, request.k) for group in groups(keys)]))
    return keys[0]
