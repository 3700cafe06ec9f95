"""The scale: its texts change in versions, its number of grades only while nothing was graded; over HTTP."""

import pytest

from annotation.corpus.steps.scales import revise_scale
from annotation.models import Annotator, Batch, GoldEvent, ScaleVersion
from tests.annotation.corpus.views.test_collections import scale_entries
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.factories import make_batch, make_document, make_topic

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/scale"
FIVE = ("None", "Little", "Some", "Much", "All")


def names(people: People) -> list[str]:
    people.collection.refresh_from_db()
    assert people.collection.scale is not None
    return [each["name"] for each in people.collection.scale.grades]


def test_only_admins_change_the_scale() -> None:
    people = make_people()
    assert people.statuses(PAGE) == ADMINS_ONLY
    for who, status in {**ADMINS_ONLY, "admin": 302}.items():
        assert people.client(who).post(PAGE, scale_entries(*FIVE)).status_code == status
    assert names(people) == list(FIVE)


def test_while_nothing_was_graded_the_number_of_grades_may_change() -> None:
    people = make_people()
    people.client("admin").post(PAGE, scale_entries("No", "Yes"))
    assert names(people) == ["No", "Yes"]


def grade_something(people: People, what: str) -> Batch | None:
    if what == "laid out":
        return make_batch(people.collection, [Annotator.objects.get(user=people.annotator)])
    scale = people.collection.scale
    assert scale is not None
    GoldEvent.objects.create(
        collection=people.collection,
        topic=make_topic(people.collection),
        document=make_document(people.collection),
        scale=scale,
        action="set",
        grade=4,
    )
    return None


@pytest.mark.parametrize("what", ["laid out", "gold"])
def test_once_something_was_graded_another_number_is_refused_with_the_reason(what: str) -> None:
    people = make_people()
    before = names(people)
    grade_something(people, what)
    answer = people.client("admin").post(PAGE, scale_entries("No", "Yes", total=5))
    assert answer.status_code == 200
    assert answer.context["refusal"].endswith("The number of grades stays 5.")
    more = people.client("admin").post(PAGE, scale_entries(*FIVE, "More"))
    assert more.status_code == 200
    assert names(people) == before
    assert ScaleVersion.objects.filter(collection=people.collection).count() == 1


def test_texts_change_in_a_new_version_and_what_is_laid_out_keeps_its_own() -> None:
    people = make_people()
    batch = grade_something(people, "laid out")
    assert batch is not None
    old = batch.scale_id
    people.client("admin").post(PAGE, scale_entries(*FIVE, total=5))
    batch.refresh_from_db()
    assert batch.scale_id == old
    assert names(people) == list(FIVE)
    assert [version.number for version in ScaleVersion.objects.filter(collection=people.collection)] == [1, 2]


def test_a_draft_follows_the_scale() -> None:
    people = make_people()
    batch = grade_something(people, "laid out")
    assert batch is not None
    Batch.objects.update(state=Batch.State.DRAFT)
    people.client("admin").post(PAGE, scale_entries(*FIVE, total=5))
    batch.refresh_from_db()
    assert [each["name"] for each in batch.scale.grades] == list(FIVE)


def test_going_back_to_old_grades_brings_their_version_back() -> None:
    people = make_people()
    grades = [{"grade": n, "name": str(n), "definition": "", "example": ""} for n in range(3)]
    first = revise_scale(people.collection, grades=grades, actor=people.admin)  # type: ignore[arg-type]
    people.client("admin").post(PAGE, scale_entries("No", "Yes"))
    people.client("admin").post(PAGE, scale_entries("0", "1", "2"))
    people.collection.refresh_from_db()
    assert people.collection.scale == first
