"""A kind of row of a bundle, so that writing and reading bundles need not know it. It grows by a sibling of `pools`.

What a part leaves out on the way, it says; what it cannot store, it refuses with `RowRefused`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils.module_loading import import_string

from annotation.exchange.read.bundles import PORTION, Transfer
from annotation.formats.bundle import RowRefused
from annotation.models import Collection

Row = TypeVar("Row")
Key = TypeVar("Key")
Made = TypeVar("Made", bound=Model)


class Part(Protocol):
    """One kind of row of one bundle. `settings.TOUCHSTONE_BUNDLE_PARTS` names them in the order they are stored.

    `shown` names the columns of the first rows that a person sees before anything is published; none: only the count.
    `since`: bundles of earlier versions have none.
    """

    name: ClassVar[str]
    row: ClassVar[type[Any]]
    shown: ClassVar[Sequence[str]]
    since: ClassVar[int]

    def __init__(self, transfer: Transfer) -> None: ...

    def rows(self) -> Iterator[Any]:
        """The rows that go out, in an order of their own that lasts."""

    def files(self, row: Any) -> Iterable[str]:
        """The stored files that a row names, by hash."""

    def store(self, rows: Sequence[Any]) -> None:
        """Write a portion; called in a transaction."""

    def faults(self) -> Iterable[str]:
        """What is wrong with the rows and files now that everything is stored."""

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Any]":
        """The rows of a collection, to be cleared away."""


class TablePart(Generic[Row]):
    """See `Part`. What most kinds have in common: rows without files."""

    name: ClassVar[str]
    row: ClassVar[type[Any]]
    shown: ClassVar[Sequence[str]] = ()
    since: ClassVar[int] = 1

    def __init__(self, transfer: Transfer) -> None:
        self.transfer, self.collection = transfer, transfer.collection

    def files(self, _row: Row) -> Iterable[str]:
        return ()

    def faults(self) -> Iterable[str]:
        return ()


def parts_of(transfer: Transfer) -> list[Part]:
    """Every kind of row, what is referred to before what refers to it."""
    return [import_string(path)(transfer) for path in settings.TOUCHSTONE_BUNDLE_PARTS]


def keys_of(wanted: Sequence[Key], known: Mapping[Key, int], what: str) -> list[int]:
    """The primary key of each; `RowRefused` for the first that is not there."""
    for place, key in enumerate(wanted):
        if key not in known:
            said = " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
            raise RowRefused(place, f"there is no {what} {said} in the bundle")
    return [known[key] for key in wanted]


def optional_keys_of(wanted: Sequence[Key | None], known: Mapping[Key, int], what: str) -> list[int | None]:
    """As `keys_of`, where a row may name none."""
    found = list[int | None]()
    for place, key in enumerate(wanted):
        with refused_at(place):
            found.append(None if key is None else keys_of([key], known, what)[0])
    return found


@contextmanager
def refused_at(place: int) -> Iterator[None]:
    """What is refused within belongs to the row at `place`."""
    try:
        yield
    except RowRefused as refused:
        raise RowRefused(place, refused.reason) from refused


def create(model: type[Made], rows: Sequence[Any], names: Iterable[str], **columns: object) -> list[Made]:
    """Insert one row of the model a row of the bundle, in their order.

    `names` are taken as they stand; each of `columns` is a list aligned with the rows, or one value for all of them.
    Times of creation stay, where Django would put in the time of now.
    """
    names = tuple(names)
    further = [_spread(values, len(rows)) for values in columns.values()]
    made = [
        model(**{name: getattr(row, name) for name in names}, **dict(zip(columns, values, strict=True)))
        for row, *values in zip(rows, *further, strict=True)
    ]
    table: QuerySet[Any] = QuerySet(model)
    table.bulk_create(made, batch_size=PORTION)
    if "created_at" in names:
        _put_back(model, [(each, row.created_at) for each, row in zip(made, rows, strict=True)])
    return made


def _put_back(model: type[Made], created: Sequence[tuple[Any, datetime]]) -> None:
    later = [(row, moment) for row, moment in created if row.created_at != moment]
    for row, moment in later:
        row.created_at = moment
    QuerySet(model).bulk_update([row for row, _ in later], ["created_at"], batch_size=200)


def _spread(values: object, length: int) -> list[Any]:
    return values if isinstance(values, list) else [values] * length
