"""Work on the parts of a folder: what has been done before is not done again.

A result is a file named by the hash of what it was made from, and is there whole before it is
reported.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, TypeVar

from annotation.formats.problems import FormatError, Problem
from annotation.text.watch import WordlessWatch
from evaluation.formats.shards.parts import Part
from evaluation.formats.shards.store import Store

MANIFEST = "manifest.json"

Work = TypeVar("Work")
Done = TypeVar("Done")


class Executor(Protocol):
    """Does each piece of work by the function somewhere, and gives the results as they come, in any order."""

    def __call__(self, function: Callable[[Work], Done], works: Sequence[Work]) -> Iterable[Done]: ...


def in_this_process(function: Callable[[Work], Done], works: Sequence[Work]) -> Iterator[Done]:
    yield from map(function, works)


class Request(Protocol):
    """What is asked of every part of the folder `corpus`; both are urls. Pickled, where others do the work."""

    @property
    def corpus(self) -> str: ...
    @property
    def results(self) -> str: ...
    @property
    def ending(self) -> str:
        """Of the files of results."""

    def key(self, part: str) -> str:
        """The name of the result for a part of this hash, without its ending."""

    def beside(self, part: str) -> tuple[str, ...]:
        """Names of the other files that are kept of a part of this hash."""


Asked = TypeVar("Asked", bound=Request)


@dataclass(frozen=True)
class PartResult:
    """`sha256` is the part's; `is_new` says that the result was not there yet."""

    part: str
    stamp: str
    sha256: str
    result: str
    is_new: bool
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Finished:
    keys: list[str]  # of the results, in the order of the parts
    hashes: list[str]  # of the parts
    n_new: int


def finish_parts(
    request: Asked,
    parts: Sequence[Part],
    function: Callable[[tuple[Asked, Part]], PartResult],
    executor: Executor,
    progress: WordlessWatch,
) -> Finished:
    """`progress` is called with parts done and parts in all; what it raises ends the work, and what was done stays.

    Raises `FormatError` for what is wrong with parts, once all others are done.
    """
    manifest = _Manifest(Store(request.results), request)
    hash_by_part = {part.name: sha for part in parts if (sha := manifest.finished(part))}
    left = [(request, part) for part in parts if part.name not in hash_by_part]
    problems, n_new = list[Problem](), 0
    progress(len(hash_by_part), len(parts))
    for result in executor(function, left):
        n_new += result.is_new
        problems += result.problems
        if not result.problems:
            hash_by_part[result.part] = result.sha256
            manifest.add(result)
        progress(len(hash_by_part), len(parts))
    if problems:
        raise FormatError(problems)
    hashes = [hash_by_part[part.name] for part in parts]
    return Finished([request.key(sha) for sha in hashes], hashes, n_new)


class _Manifest:
    """Which part, as it was seen, has which hash: so that what is finished is not even read again.

    It lies beside the results and is written whole after every part. What it does not know costs a part's reading, not
    its work: a result is found by the hash of what it was made from.
    """

    def __init__(self, store: Store, request: Request) -> None:
        self.store, self.request = store, request
        self.entries = _entries(store.read(MANIFEST) if store.has(MANIFEST) else b"{}")
        self.there = {one.name for one in store.files()}

    def finished(self, part: Part) -> str | None:
        """Its hash, if the part looks as it did and all that is kept of it is there."""
        entry = self.entries.get(self._name(part.name))
        if entry is None or not part.stamp or entry.get("stamp") != part.stamp:
            return None
        sha = str(entry.get("sha256"))
        kept = {self.request.key(sha) + self.request.ending, *self.request.beside(sha)}
        return sha if kept <= self.there else None

    def add(self, result: PartResult) -> None:
        facts = {name: value for name, value in asdict(result).items() if name in ("stamp", "sha256")}
        self.entries[self._name(result.part)] = facts
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
