"""How far a batch is: judgments of all who took part, people who still do."""

import pytest

from annotation.judging.steps import tally
from annotation.judging.steps.tally import Tally, tally_of
from tests.factories import make_annotators, make_batch, make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]


def test_who_left_is_not_counted_and_what_they_judged_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)
    collection = make_collection()
    batch = make_batch(collection, make_annotators(collection, ["Birch", "Cedar", "Dogwood"]))
    other = make_batch(collection, make_annotators(collection, ["Elm"]))
    for at, person in enumerate(batch.participations.order_by("pk")):
        person.n_judged, person.is_active = at + 2, at > 0
        person.save()
    assert (tally_of(batch), tally_of(other)) == (Tally(9, 2), Tally(0, 1))
    batch.participations.all().delete()
    assert tally_of(batch) == Tally(0, 0)
