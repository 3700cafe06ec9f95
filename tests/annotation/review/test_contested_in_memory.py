"""What this process keeps of contested pairs: for ten minutes, and of small batches alone."""

import pytest

from annotation.models import Collection
from annotation.quality.policy import Policy
from annotation.review.read.adjudication import contested
from annotation.review.read.adjudication.contested import ContestedOptions, ContestedPairs, contested_of
from annotation.trust.read import results
from tests.annotation.roles import make_people
from tests.annotation.trust.read.large import make_all, make_large
from tests.annotation.worked_campaign import Worked, make_worked

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    contested._cache.clear()


def of(collection: Collection) -> ContestedPairs:
    return contested_of(collection, list(collection.batches.all()), ContestedOptions(Policy()))


def cached() -> set[object]:
    return {key[0] for key in contested._cache}


def test_what_is_kept_of_small_batches_goes_once_they_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: Worked = make_large(make_people(), monkeypatch)
    other = make_worked().collection
    make_all()
    with monkeypatch.context() as small:
        small.setattr(results, "LARGE", 1_000_000)
        before = of(worked.collection)
        of(other)
    assert cached() == {worked.collection.pk, other.pk}
    assert of(worked.collection).arrays.row.tolist() == before.arrays.row.tolist()
    assert cached() == {other.pk}


def test_what_is_kept_goes_after_ten_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr(contested, "monotonic", lambda: moment)
    first, other = make_worked().collection, make_worked().collection
    pairs = of(first)
    moment += contested.CACHE_SECONDS - 1
    assert of(first) is pairs
    of(other)
    moment += 2
    assert of(other) is of(other)
    assert cached() == {other.pk}
