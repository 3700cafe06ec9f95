"""Two people, three steps each, in every order, whatever each step is: all outcomes, not a sample of them.

A step is a transaction, so an interleaving is an order of steps; what happens where two wait for each other's lock is
for `tests/journeys/test_race.py`. Orders that lead to the same rows go on together.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import pytest
from django.db import transaction
from django.db.models import F
from django.db.models import Model as Table
from django.utils import timezone

from annotation.models import Assignment, Batch, Block, Card, Item, Judgment, LeftBlock, Participation, Slot
from annotation.models.prepared import KEY, Blank, Values
from tests.annotation.judging.model import Client, Model
from tests.drawing import FUZZ_TIMES
from tests.factories import make_annotator, make_batch, make_collection
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.properties]

BROKEN = Assignment.SkipReason.BROKEN
STEPS = 3  # of each page
PEOPLE, PAGES = ((0, "a"), (1, "a")), ((0, "a"), (0, "b"))
RARE = ("send again", "send another grade", "stay away", "give back")

Step = Callable[[Model], object]


def steps_of(model: Model, client: Client) -> dict[str, Step]:
    """What can be done from the page now."""
    page, sent = model.pages.get(client, []), model.sent.get(client)
    steps: dict[str, Step] = {"claim": lambda each: each.claim(client, ahead=1)}
    if page:
        steps |= {
            "grade": lambda each: each.grade(client, page[0], page[0].revision, ahead=1),
            "skip": lambda each: each.skip(client, page[0], BROKEN, ahead=1),
            "put off": lambda each: each.put_off(client, page[0], ahead=1),
            "stay away": lambda each: each.wait(11),
        }
    if page[1:]:
        steps["give back"] = lambda each: each.give_back(client)
    if sent:
        steps |= {
            "send again": lambda each: each.grade(client, sent, sent.revision, ahead=1),
            "send another grade": lambda each: each.grade(client, sent, 0, ahead=1),
            "undo": lambda each: each.undo(client),
        }
    return steps


BATCH = Blank("batch", KEY)
OF_CARD = ("assignment__annotator", "assignment__item", "revision", "issued_at", "shown_at", "pages")
NOTED = {"participation__batch": BATCH, "n_freed": F("block__n_freed")}


def table(kind: type[Table], *columns: str, **condition: object) -> Values:
    """Compiled once: it is asked thousands of times."""
    rows = kind._default_manager.filter(**(condition or {"batch": BATCH}))
    return Values(lambda: rows.order_by("pk").values_list(*columns))


CARDS = table(Card, "pk", assignment__batch=BATCH)
TABLES = [
    table(Slot, "state", "lease_until"),
    table(Assignment, "annotator", "item", "slot", "state", "skip_reason", "ended_at"),
    table(Card, *OF_CARD, assignment__batch=BATCH),
    table(Judgment, "annotator", "item", "revision", "grade", "surplus"),
    table(Item, "n_judged", "withheld"),
    table(Participation, "block", "done_in_block", "n_judged"),
    table(Block, "n_open", "begun"),
    table(LeftBlock, "participation", **NOTED),
]


class Walk:
    """Through all that two pages can do. They are alike: it is the first of them that begins.

    `seen`: by state, how many steps each had left when it was gone on from.
    """

    def __init__(self, batch: Batch, clients: Sequence[Client], without: Collection[str]) -> None:
        self.batch, self.clients, self.without = batch, clients, without
        self.seen: dict[object, list[tuple[int, ...]]] = defaultdict(list)

    def go_on(self, model: Model, left: tuple[int, ...], path: tuple[str, ...] = ()) -> None:
        state = state_of(self.batch, model)
        before = self.seen[state]
        if not before:
            assert broken_invariants(self.batch, model.acknowledged) == [], path
        if any(all(map(int.__ge__, each, left)) for each in before):
            return
        before.append(left)
        for turn, client in enumerate(self.clients if path else self.clients[:1]):
            then = tuple(n - (place == turn) for place, n in enumerate(left))
            steps = steps_of(model, client) if left[turn] else {}
            for name in [each for each in steps if each not in self.without]:
                with undone():
                    self.take(steps[name], model.copy(), then, (*path, f"{client}: {name}"))

    def take(self, step: Step, model: Model, left: tuple[int, ...], path: tuple[str, ...]) -> None:
        try:
            step(model)
        except Exception as error:
            error.add_note(" → ".join(path))
            raise
        self.go_on(model, left, path)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def state_of(batch: Batch, model: Model) -> object:
    """All that what comes may depend on: rows, with cards by their turn, and times from now."""
    tables = [table.rows(batch=batch.pk) for table in TABLES]
    rows = tuple(tuple(tuple(_from_now(each, model.moment) for each in row) for row in table) for table in tables)
    turn = {pk: n for n, (pk, *_) in enumerate(CARDS.rows(batch=batch.pk))}
    pages = [(who, *(turn[card.pk] for card in page)) for who, page in sorted(model.pages.items())]
    sent = [(who, turn[card.pk]) for who, card in sorted(model.sent.items())]
    return rows, tuple(pages), tuple(sent), tuple(sorted(model.reopened.items()))


def _from_now(value: object, moment: datetime) -> object:
    return value - moment if isinstance(value, datetime) else value


@pytest.mark.parametrize(
    ("clients", "n_pairs", "n_wanted", "without"),
    [
        pytest.param(PEOPLE, 1, 1, (), id="a pair for one of two people"),
        pytest.param(PEOPLE, 1, 2, RARE, id="a pair for both"),
        pytest.param(PEOPLE, 2, 1, RARE, id="two pairs for two people"),
        pytest.param(PAGES, 1, 1, (*RARE, "put off"), id="a pair for two pages of one"),
    ],
)
def test_in_every_order_all_is_as_it_must_be(
    clients: Sequence[Client], n_pairs: int, n_wanted: int, without: Collection[str]
) -> None:
    """`make fuzz` leaves nothing out."""
    collection = make_collection()
    people = [make_annotator(collection) for _ in range(2)]
    batch = make_batch(
        collection, people, n_documents=n_pairs, judgments_per_item=n_wanted, session_minutes=0, opening_cards=0
    )
    walk = Walk(batch, clients, () if FUZZ_TIMES else without)
    walk.go_on(Model(batch, timezone.now()), (STEPS, STEPS))
    assert (0, 0) in {left for lefts in walk.seen.values() for left in lefts}
