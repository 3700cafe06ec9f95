"""A kind of row of a bundle: how its rows leave the database, and how they come into another one.

A field of a row is read from the column of its name and stored there. A part declares what differs:
foreign keys (`references`), many-to-many fields (`lists`), fields read elsewhere (`paths`). What a
part leaves out on the way, it says; what it cannot store, it refuses with `RowError`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db.models import Model, QuerySet
from django.db.models.expressions import Combinable
from django.utils.module_loading import import_string

from annotation.exchange.read.bundles import PORTION, Transfer, paged
from annotation.exchange.steps.bundles.parts.references import ListReference, PrimaryKeys, Reference
from annotation.exchange.steps.bundles.parts.tables import columns_of, insert, path_to_collection
from annotation.formats.bundle import RowError
from annotation.models import Collection

Row = TypeVar("Row")
ValuePath = str | Combinable  # to a value of the database, as Django spells it


class Part(Generic[Row]):
    """One kind of row of one bundle. `TOUCHSTONE_BUNDLE_PARTS` names them in the order they are stored.

    `preview`: the columns of the first rows that a person sees before anything is published; none: only
    the count. `since`: bundles of earlier versions have none. `portion`: how many rows are read at a time.
    """

    name: ClassVar[str]
    row: ClassVar[type[Any]]
    model: ClassVar[type[Model]]
    references: ClassVar[Sequence[Reference]] = ()
    lists: ClassVar[Sequence[ListReference]] = ()
    paths: ClassVar[Mapping[str, ValuePath]] = {}
    preview: ClassVar[Sequence[str]] = ()
    since: ClassVar[int] = 1
    portion: ClassVar[int] = PORTION

    def __init__(self, transfer: Transfer) -> None:
        self.transfer, self.collection = transfer, transfer.collection

    @classmethod
    def table(cls, collection: Collection) -> "QuerySet[Any]":
        """The rows of a collection, all of them: what is cleared away."""
        return QuerySet(cls.model).filter(**{path_to_collection(cls.model): collection})

    def outgoing(self) -> "QuerySet[Any]":
        """Those of them that go out; what belongs to a batch goes if the batch does."""
        table = self.table(self.collection)
        if "batch" in columns_of(self.model):
            return table.filter(batch__in=self.transfer.batches)
        return table

    def rows(self) -> Iterator[Row]:
        """The rows that go out, in an order of their own that lasts."""
        table, paths = self.outgoing(), self._paths()
        lists = {each.column: each.names(table) for each in self.lists}
        for values in paged(table, *paths.values(), portion=self.portion):
            row = dict(zip(paths, values, strict=True))
            yield self.row(**{**row, **{name: names[row[name]] for name, names in lists.items()}})

    def files(self, _row: Row) -> Iterable[str]:
        """The stored files that a row names, by hash."""
        return ()

    def fault(self, _row: Row) -> str:
        """Why the row cannot be stored, whatever else is there; empty where it can."""
        return ""

    def store(self, rows: Sequence[Row]) -> None:
        """Write a portion; called in a transaction."""
        for index, row in enumerate(rows):
            if reason := self.fault(row):
                raise RowError(index, reason)
        self.insert(rows)

    def insert(self, rows: Sequence[Row]) -> list[Any]:
        """Write rows without a fault; returns the models, in their order."""
        columns, keys = columns_of(self.model), dict[Reference, PrimaryKeys]()
        for reference in self.references:
            keys[reference] = reference.primary_keys(self.collection, rows, keys)
        values: dict[str, object] = {f"{each.column}_id": keys[each] for each in keys if each.column in columns}
        if "collection" in columns:
            values["collection"] = self.collection
        models = insert(self.model, rows, self._names(), {**values, **self.further_columns(rows)})
        for each in self.lists:
            each.link(self.collection, models, rows)
        return models

    def further_columns(self, _rows: Sequence[Row]) -> dict[str, object]:
        """What the bundle does not say: by column a list with a value a row, or one value for all."""
        return {}

    def verify(self) -> Iterable[str]:
        """What is wrong with the rows and files now that everything is stored."""
        return ()

    @classmethod
    def _paths(cls) -> dict[str, ValuePath]:
        """By field of the row, where the database has it. Of several ways the shortest is taken."""
        columns = columns_of(cls.model)
        references = [each for each in cls.references if each.column in columns]
        ways = [way for each in references for way in each.paths().items()]
        shortest_last = sorted(ways, key=lambda way: way[1].count("__"), reverse=True)
        own = {name: name for name in cls.row.__dataclass_fields__}
        lists = {each.column: "pk" for each in cls.lists}
        return {**own, **dict(shortest_last), **lists, **cls.paths}

    @classmethod
    def _names(cls) -> list[str]:
        """The fields of the row that are stored as they stand."""
        own = columns_of(cls.model) - {name for each in cls.references for name in each.fields}
        return [name for name in cls.row.__dataclass_fields__ if name in own]


def part_classes() -> list[type[Part[Any]]]:
    """Every kind of row, what is referred to before what refers to it."""
    return [import_string(path) for path in settings.TOUCHSTONE_BUNDLE_PARTS]


def parts_of(transfer: Transfer) -> list[Part[Any]]:
    return [part(transfer) for part in part_classes()]
