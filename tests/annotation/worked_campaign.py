"""The example of docs/quality.md as rows: four people, twenty gold pairs, five pairs to decide."""

from dataclasses import dataclass
from typing import Any

from annotation.kernel.blocks import recount_blocks
from annotation.models import Annotator, Batch, Collection, Item, Planting, Slot
from tests.factories import (
    make_annotators,
    make_batch,
    make_collection,
    make_documents,
    make_golds,
    make_items,
    make_judgment,
    make_judgments,
    make_topic,
)

N_GOLD, GOLD_GRADE = 20, 1
PEOPLE = {"Amber": (10, 9), "Birch": (20, 14), "Cedar": (12, 6), "Dune": (8, 8)}  # gold judged, right
JUDGED = {
    "d1": {"Amber": 3, "Birch": 3, "Cedar": 0, "Dune": 3},
    "d2": {"Amber": 2, "Birch": 3, "Cedar": 2, "Dune": 2},
    "d3": {"Amber": 0, "Birch": 2, "Cedar": 1, "Dune": 1},
    "d4": {"Amber": 4, "Cedar": 4, "Dune": 4},
    "d5": {"Cedar": 1, "Dune": 1},
}
GOLD_QRELS = [("g", f"G{n:02}", GOLD_GRADE) for n in range(N_GOLD)]
QRELS = [("1", "d1", 3), ("1", "d2", 2)]


@dataclass(frozen=True)
class Worked:
    collection: Collection
    batch: Batch
    people: dict[str, Annotator]
    items: dict[str, Item]  # by docno

    def judge(self, docno: str, name: str, grade: int, **columns: Any) -> None:
        make_judgment(self.items[docno], self.people[name], grade, **columns)

    def fill(self) -> None:
        """No pair laid out by now waits for another judgment."""
        Slot.objects.filter(batch=self.batch).update(state=Slot.State.JUDGED)
        recount_blocks(self.batch)

    def add_item(self, docno: str, *, number: str = "1", planted: str = "") -> Item:
        """One more pair of the batch; planted as gold or check, if wanted."""
        (item,) = _lay_out(self.batch, number, [docno])
        if planted:
            Planting.objects.create(item=item, purpose=planted)
        self.items[docno] = item
        return item


def make_worked(collection: Collection | None = None) -> Worked:
    collection = collection or make_collection()
    people = dict(zip(PEOPLE, make_annotators(collection, list(PEOPLE)), strict=True))
    batch = make_batch(collection, list(people.values()), n_topics=0, n_documents=0, name="first")
    gold = _lay_out(batch, "g", [docno for _, docno, _ in GOLD_QRELS])
    Planting.objects.bulk_create(Planting(item=item, purpose=Planting.Purpose.GOLD) for item in gold)
    make_golds(gold, GOLD_GRADE)
    to_judge = _lay_out(batch, "1", list(JUDGED))
    make_judgments(
        [
            (gold[n], people[name], GOLD_GRADE if n < n_right else 4)
            for name, (n_gold, n_right) in PEOPLE.items()
            for n in range(n_gold)
        ]
        + [
            (item, people[name], grade)
            for item, grades in zip(to_judge, JUDGED.values(), strict=True)
            for name, grade in grades.items()
        ]
    )
    return Worked(collection, batch, people, {item.document.docno: item for item in gold + to_judge})


def _lay_out(batch: Batch, number: str, docnos: list[str]) -> list[Item]:
    topic = batch.collection.topics.filter(number=number).first() or make_topic(batch.collection, number)
    return make_items(batch, topic, make_documents(batch.collection, docnos))
