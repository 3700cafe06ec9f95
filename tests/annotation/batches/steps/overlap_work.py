"""A steered batch in small: topics with gold enough to learn from, ordinary pairs to be asked about again."""

from dataclasses import dataclass
from typing import Any

from annotation.batches.steps.overlap import ask_for_steering
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Annotator, Assignment, Batch, Collection, Item, Job, Judgment, Planting, Policy, Slot
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.policies import store_policy
from tests.factories import make_annotators, make_batch, make_collection, make_gold, make_judgment, make_judgments

N_TOPICS, N_GOLD = 4, 8  # gold pairs a topic: with one fold of four hidden there are still enough
STEERABLE = Parameters(
    accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None, consolidation="dawid_skene"
)


@dataclass(frozen=True)
class Steered:
    batch: Batch
    people: list[Annotator]
    ordinary: list[Item]

    def judge(self, item: Item, *grades: int) -> None:
        """The next people's grades, into the slots that are open."""
        done = item.judgments.count()
        for person, grade in zip(self.people[done:], grades, strict=False):
            in_slot(make_judgment(item, person, grade))

    def look(self) -> Job:
        """Ask for a look and do it."""
        ask_for_steering(self.batch, created_by=None)
        run = claim_job()
        assert run is not None
        job = run_job(run)
        self.batch.refresh_from_db()
        return job

    def numbers(self, item: Item) -> list[int]:
        return list(Slot.objects.filter(item=item, reading=1).order_by("n").values_list("n", flat=True))


def steering_policy(collection: Collection) -> Policy:
    return store_policy(collection, name="steering", parameters=STEERABLE, actor=None)


def make_steered(
    collection: Collection | None = None,
    *,
    maximum: int = 5,
    target: float = 0.8,
    n_people: int = 6,
    n_gold: int = N_GOLD,
    **settings: Any,
) -> Steered:
    """Two judgments a pair at first. Gold was judged by everybody: the first four are right four times in five, each
    wrong on other pairs, the others always."""
    collection = collection or make_collection()
    people = make_annotators(collection, [""] * n_people)
    batch = make_batch(
        collection,
        people,
        n_topics=N_TOPICS,
        n_documents=n_gold + 2,
        steered_by=steering_policy(collection),
        most_judgments=maximum,
        target_probability=target,
        **settings,
    )
    items = list(batch.items.select_related("batch", "collection", "topic", "document").order_by("pk"))
    gold = [(place, item) for place, item in enumerate(items) if place % (n_gold + 2) < n_gold]
    _plant(gold, people)
    return Steered(batch, people, [item for place, item in enumerate(items) if place % (n_gold + 2) >= n_gold])


def _plant(gold: list[tuple[int, Item]], people: list[Annotator]) -> None:
    """`gold`: the items with their places among all."""
    Planting.objects.bulk_create(Planting(item=item, purpose=Planting.Purpose.GOLD) for _, item in gold)
    Slot.objects.filter(item__in=[item for _, item in gold]).delete()
    slots, grades = [], []
    for place, item in gold:
        truth = place % 3
        make_gold(item, truth)
        for who, person in enumerate(people):
            slots.append(
                Slot(
                    collection=item.collection, batch=item.batch, item=item, n=who, block=item.block,
                    state=Slot.State.JUDGED, reserved_for=person, due=0,
                )
            )  # fmt: skip
            wrong = who < 4 and (place + who) % 5 == 0
            grades.append((item, person, (truth + 1 + place % 2) % 3 if wrong else truth))
    make_judgments(grades, slots=Slot.objects.bulk_create(slots))


def in_slot(judgment: Judgment) -> None:
    """Into the first open slot of its item."""
    slot = Slot.objects.filter(item=judgment.item, state=Slot.State.OPEN).order_by("n")[0]
    Slot.objects.filter(pk=slot.pk).update(state=Slot.State.JUDGED)
    Assignment.objects.filter(pk=judgment.assignment_id).update(slot=slot, state=Assignment.State.JUDGED)
