"""How rows of a bundle name each other, and the primary keys of what they name: a query a portion."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, QuerySet

from annotation.exchange.steps.bundles.parts.tables import path_to_collection
from annotation.formats.bundle import RowError
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Document,
    DocumentVersion,
    Feedback,
    GuidelineVersion,
    InformationVersion,
    Item,
    Policy,
    Pool,
    Qualification,
    ScaleVersion,
    Slot,
    Topic,
    TopicVersion,
)

PrimaryKeys = list[int | None]
Name = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Reference:
    """A foreign key, and how the rows of a bundle name the row of `model` that it points at.

    `fields`: by field of the bundle's row, the field of `model` that it stands for; where one is None,
    the key is null. `within`: by foreign key of `model`, the reference of the same row that leads to the
    same place; it is listed before this one. `where` narrows down what may be pointed at. `what` is the
    word of messages. A key that is no column of the part's table is only looked up, for others within it.
    """

    column: str
    model: type[Model]
    fields: Mapping[str, str]
    what: str
    within: Mapping[str, "Reference"] = field(default_factory=dict)
    where: Mapping[str, object] = field(default_factory=dict)

    def paths(self) -> dict[str, str]:
        """By field of the bundle's row: the way to its value from the table that has the key."""
        return {name: f"{self.column}__{path}" for name, path in self.fields.items()}

    def primary_keys(
        self, collection: Collection, rows: Sequence[Any], before: Mapping["Reference", PrimaryKeys]
    ) -> PrimaryKeys:
        """One a row. `RowError` for the first that names what is not there."""
        outer = [before[reference] for reference in self.within.values()]
        own = [[getattr(row, name) for row in rows] for name in self.fields]
        names = [*zip(*outer, *own, strict=True)]
        keys = self.keys_by_name(collection, {name for name in names if None not in name})
        for index, name in enumerate(names):
            if None not in name and name not in keys:
                raise RowError(index, self.missing(self.words(rows[index])))
        return [keys.get(name) for name in names]

    def keys_by_name(self, collection: Collection, names: Iterable[Name]) -> dict[Name, int]:
        """The primary keys of those that are there. Keys within others need no collection to be found."""
        parts = [set(values) for values in zip(*names, strict=True)]
        if not parts:
            return {}
        paths = (*self.within, *self.fields.values())
        filters = dict[str, object](zip((f"{path}__in" for path in paths), parts, strict=True))
        if not self.within:
            filters[path_to_collection(self.model)] = collection
        table: QuerySet[Any] = QuerySet(self.model).filter(**filters, **self.where)
        return {tuple(name): key for *name, key in table.values_list(*paths, "pk")}

    def missing(self, names: Iterable[object]) -> str:
        return f"there is no {self.what} {' '.join(map(str, names))} in the bundle"

    def words(self, row: object) -> list[object]:
        """What a message calls it by."""
        outer = [word for reference in self.within.values() for word in reference.words(row)]
        return [*outer, *(getattr(row, name) for name in self.fields)]


@dataclass(frozen=True)
class ListReference:
    """A many-to-many field, which a row of the bundle has as a sorted list of names."""

    column: str
    target: Reference
    table: type[Model]
    source: str

    def names(self, models: "QuerySet[Any]") -> Mapping[int, list[str]]:
        """By primary key: the names in its list."""
        (path,) = self.target.paths().values()
        names = defaultdict[int, list[str]](list)
        table: QuerySet[Any] = QuerySet(self.table)
        links = table.filter(**{f"{self.source}__in": models.values("pk")})
        for key, name in sorted(links.values_list(f"{self.source}_id", path)):
            names[key].append(name)
        return names

    def link(self, collection: Collection, models: Sequence[Model], rows: Sequence[Any]) -> None:
        """Store the lists of rows that were just inserted."""
        lists = [getattr(row, self.column) for row in rows]
        keys = self.target.keys_by_name(collection, {(name,) for names in lists for name in names})
        links = []
        for index, (model, names) in enumerate(zip(models, lists, strict=True)):
            for name in names:
                if (name,) not in keys:
                    raise RowError(index, self.target.missing([name]))
                columns = {f"{self.source}_id": model.pk, f"{self.target.column}_id": keys[name,]}
                links.append(self.table(**columns))
        table: QuerySet[Any] = QuerySet(self.table)
        table.bulk_create(links, batch_size=1000)


TOPIC = Reference("topic", Topic, {"number": "number"}, "topic")
DOCUMENT = Reference("document", Document, {"docno": "docno"}, "document")
TOPIC_VERSION = Reference(
    "topic_version", TopicVersion, {"number": "topic__number", "topic_sha256": "sha256"}, "text of topic"
)
DOCUMENT_VERSION = Reference(
    "document_version", DocumentVersion, {"docno": "document__docno", "document_sha256": "sha256"}, "text of document"
)
SCALE = Reference("scale", ScaleVersion, {"scale": "number"}, "version of the scale")
GUIDELINE = Reference("guideline", GuidelineVersion, {"guideline": "number"}, "version of the guideline")
INFORMATION = Reference("information", InformationVersion, {"information": "number"}, "version of the information text")
POLICY = Reference("policy", Policy, {"policy": "name", "policy_version": "version"}, "policy")
ANNOTATOR = Reference("annotator", Annotator, {"annotator": "pseudonym"}, "annotator")
QUALIFICATION = Reference("qualification", Qualification, {"qualification": "name"}, "qualification round")
POOL = Reference("pool", Pool, {"pool": "name"}, "pool")
BATCH = Reference("batch", Batch, {"batch": "name"}, "batch")
ITEM = Reference("item", Item, {"batch": "batch__name", "number": "topic__number", "docno": "document__docno"}, "item")
MEETING = {"item": ITEM, "annotator": ANNOTATOR}
SLOT = Reference("slot", Slot, {"slot": "n"}, "judged slot", {"item": ITEM}, {"state": "judged"})
ASSIGNMENT = Reference("assignment", Assignment, {"reading": "reading"}, "assignment", MEETING)
FIRST_ASSIGNMENT = Reference("assignment", Assignment, {}, "assignment", MEETING, {"reading": 1})
FEEDBACK = Reference("feedback", Feedback, {}, "feedback", {"assignment__item": ITEM, "annotator": ANNOTATOR})
