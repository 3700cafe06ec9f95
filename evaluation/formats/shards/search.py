"""All parts of a corpus searched and merged: what has been done before is not done again."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, TypeVar

from annotation.formats.problems import FormatError, Problem
from evaluation.engine.run import PackedRun, load_run
from evaluation.formats.shards.merge import groups, merge_results
from evaluation.formats.shards.parts import Part, parts_of
from evaluation.formats.shards.store import Store
from evaluation.formats.shards.work import RESULT, Outcome, Request, search_part

MANIFEST = "manifest.json"

Work = TypeVar("Work")
Done = TypeVar("Done")


class Executor(Protocol):
    """Does each piece of work by the function somewhere, and gives the results as they come, in any order."""

    def __call__(self, function: Callable[[Work], Done], works: Sequence[Work]) -> Iterable[Done]: ...


def in_this_process(function: Callable[[Work], Done], works: Sequence[Work]) -> Iterator[Done]:
    yield from map(function, works)


@dataclass(frozen=True)
class ShardedSearch:
    run: PackedRun
    n_parts: int
    n_searched: int  # this time


def search_shards(
    request: Request,
    executor: Executor = in_this_process,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> ShardedSearch:
    """The run of all parts: the same bytes, packed, as one search of all of their documents together.

    `progress` is called with parts done and parts in all; what it raises ends the search, and what was searched stays.
    Raises `ValueError` where there is no part, or a document is met in two; `FormatError` for what is wrong with parts.
    """
    corpus, results = Store(request.corpus), Store(request.results)
    parts = parts_of(corpus)
    manifest = _Manifest(results, request)
    keys = {part.name: key for part in parts if (key := manifest.finished(part))}
    left = [(request, part) for part in parts if part.name not in keys]
    problems, n_searched = list[Problem](), 0
    progress(len(keys), len(parts))
    for outcome in executor(search_part, left):
        n_searched += outcome.searched
        problems += outcome.problems
        if not outcome.problems:
            keys[outcome.part] = outcome.result
            manifest.add(outcome)
        progress(len(keys), len(parts))
    if problems:
        raise FormatError(problems)
    key = _merged(request, [keys[part.name] for part in parts], executor)
    with results.local([key + RESULT]) as folder:
        data = (folder / (key + RESULT)).read_bytes()
    return ShardedSearch(load_run(data), len(parts), n_searched)


def _merged(request: Request, keys: list[str], executor: Executor) -> str:
    """The key of the merged run: level by level, the groups of a level side by side."""
    while len(keys) > 1:
        keys = sorted(executor(merge_results, [(request.results, group, request.k) for group in groups(keys)]))
    return keys[0]


class _Manifest:
    """Which part, as it was seen, has which hash: so that what is finished is not even read again.

    It lies beside the results and is written whole after every part. What it does not know costs a part's reading, not
    its search: a result is found by the hash of what it was made from.
    """

    def __init__(self, store: Store, request: Request) -> None:
        self.store, self.request = store, request
        self.entries = _entries(store.read(MANIFEST) if store.has(MANIFEST) else b"{}")

    def finished(self, part: Part) -> str | None:
        """The key of its result, if that is there and the part looks as it did."""
        entry = self.entries.get(self._name(part.name))
        if entry is None or not part.stamp or entry.get("stamp") != part.stamp:
            return None
        key = self.request.key(str(entry.get("sha256")))
        return key if self.store.has(key + RESULT) else None

    def add(self, outcome: Outcome) -> None:
        facts = {name: value for name, value in asdict(outcome).items() if name in ("stamp", "sha256", "n_documents")}
        self.entries[self._name(outcome.part)] = facts
        self.store.write(MANIFEST, json.dumps(self.entries, indent=1, sort_keys=True).encode())

    def _name(self, part: str) -> str:
        return f"{self.request.corpus.rstrip('/')}/{part}"


def _entries(text: bytes) -> dict[str, dict[str, object]]:
    """None of a manifest that cannot be read: it is begun anew."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return {name: one for name, one in value.items() if isinstance(one, dict)} if isinstance(value, dict) else {}
