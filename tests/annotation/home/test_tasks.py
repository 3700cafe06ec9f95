"""What the overview's list of things to do costs the database."""

import pytest
from django.db import connection

from annotation.home.pages.tasks import own_cards
from annotation.models import Collection, Participation, User
from tests.factories import make_annotators, make_batch, make_collection

EVERY = 10  # steps of SQLite's machine


def steps_of(collection: Collection, person: User) -> int:
    """How many times SQLite's machine took so many steps."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    connection.connection.set_progress_handler(count, EVERY)
    try:
        own_cards(collection, person)
    finally:
        connection.connection.set_progress_handler(None, 0)
    return taken


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="counts the steps of SQLite's machine")
def test_ones_own_cards_cost_nothing_for_the_cards_of_others() -> None:
    collection = make_collection()
    lead, other, *others = make_annotators(collection, [f"Person {n}" for n in range(60)])
    assert lead.user
    batch = make_batch(collection, [lead], n_documents=40)
    batch.slots.update(reserved_for=other, due=9)
    before = steps_of(collection, lead.user)
    Participation.objects.bulk_create(Participation(batch=batch, annotator=each, salt=1) for each in others)
    assert steps_of(collection, lead.user) <= before + 10 * len(others)
