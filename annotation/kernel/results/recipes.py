"""What can be kept of batches, how it is made, and what of it pages ask for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from annotation.models import Batch, Collection

Result = TypeVar("Result")
Parameters: TypeAlias = Mapping[str, Any]  # as JSON has them


@dataclass(frozen=True)
class BatchChoice:
    """Batches of a collection that share a criterion."""

    collection: Collection
    batches: Sequence[Batch]
    criterion: str

    @classmethod
    def of_batch(cls, batch: Batch) -> "BatchChoice":
        return cls(batch.collection, [batch], batch.criterion)

    @property
    def keys(self) -> list[int]:
        """Of the batches, ascending."""
        return sorted(batch.pk for batch in self.batches)


@dataclass(frozen=True)
class Recipe(Generic[Result]):
    """`kind` names it in TOUCHSTONE_RESULTS. `settle` works out, in place, all that pages ask of the result, so that
    the fields of `lets_go` need not be kept. `mark`: what it rests on besides the judgments, gold and people of the
    choice. `usual`: what pages of a collection begin with, which the worker makes before anybody asks."""

    kind: str
    make: Callable[[BatchChoice, Parameters], Result]
    settle: Callable[[Result], object] = lambda _result: None
    lets_go: Mapping[type, frozenset[str]] = field(default_factory=dict)
    mark: Callable[[BatchChoice, Parameters], object] = lambda _choice, _parameters: None
    usual: Callable[[Collection], Sequence[tuple[BatchChoice, Parameters]]] = lambda _collection: ()


def worked_out(kind: type) -> list[str]:
    """The names of what its objects work out when they are asked, and once."""
    return [name for name, value in vars(kind).items() if isinstance(value, cached_property)]


def all_but(kind: Any, *names: str) -> frozenset[str]:
    """Fields of a dataclass, and what it works out, but for these."""
    return frozenset({*(each.name for each in fields(kind)), *worked_out(kind)}.difference(names))
