"""Several annotators paused or excluded at once: with one reason, by an admin, and none of them by chance."""

import pytest

from annotation.judging.read.pauses import current_exclusions, current_pauses
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.factories import make_annotator, make_annotators, make_collection, make_user

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/quality/annotators/together"
NAMES = "names=Birch&names=Cedar&names=Robot"


@pytest.fixture
def people() -> People:
    people = make_people()
    for name in ("Birch", "Cedar"):
        make_annotator(people.collection, make_user(name.lower()), name)
    make_annotators(people.collection, ["Robot"])
    people.collection.annotators.filter(pseudonym="Robot").update(user=None)
    make_annotators(make_collection("wasps"), ["Elsewhere"])
    return people


def test_who_may(people: People) -> None:
    assert people.statuses(f"{PAGE}?deed=pause&{NAMES}") == ADMINS_ONLY
    assert people.statuses(f"{PAGE}?deed=delete&{NAMES}")["admin"] == 404


def test_nobody_is_not_everybody(people: People) -> None:
    client = people.client("admin")
    for names in ("", "&names=", "&names=Elsewhere"):
        answer = client.post(f"{PAGE}?deed=exclude{names}", {"reason": "Made up."}, follow=True)
        assert "Tick people in the table first." in answer.text
    assert current_exclusions(people.collection) == {}


def test_a_reason_is_asked_and_each_gets_it(people: People) -> None:
    client, address = people.client("admin"), f"{PAGE}?deed=pause&{NAMES}&back=sort%3D-name"
    refused = client.post(address, {"reason": " "})
    assert (refused.status_code, current_pauses(people.collection)) == (422, {})
    answer = client.post(address, {"reason": "Too fast."})
    assert answer["Location"] == "/c/bees/quality/annotators?sort=-name"
    pauses = current_pauses(people.collection)
    assert {name: event.reason for name, event in pauses.items()} == {"Birch": "Too fast.", "Cedar": "Too fast."}


def test_who_is_excluded_already_is_passed_over_and_said(people: People) -> None:
    exclude_annotator(people.collection.annotators.get(pseudonym="Birch"), reason="Before.", actor=None)
    answer = people.client("admin").post(f"{PAGE}?deed=exclude&{NAMES}", {"reason": "Made up."}, follow=True)
    assert "2 people excluded. 1 other did not need it, or cannot get cards." in answer.text
    reasons = {name: event.reason for name, event in current_exclusions(people.collection).items()}
    assert reasons == {"Birch": "Before.", "Cedar": "Made up.", "Robot": "Made up."}
