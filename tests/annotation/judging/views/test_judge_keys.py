"""A person's own keys: kept for them alone, no letter twice, the usual ones a button away."""

import re

import pytest
from django.test import Client

from annotation.judging.steps.choices import choices_of
from annotation.models import USUAL_KEYS, JudgingChoices, User
from tests.factories import make_annotator, make_batch, make_collection, make_user

pytestmark = pytest.mark.django_db
PATH = "/judging/keys"
USUAL = {deed.value: key for deed, key in USUAL_KEYS.items()}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def keys_of(user: User) -> dict[str, str]:
    return choices_of(user).bindings


def test_a_visitor_signs_in_first() -> None:
    answer = Client().get(PATH)
    assert (answer.status_code, answer["Location"]) == (302, f"/login?next={PATH}")


def test_nobody_needs_to_choose() -> None:
    user = make_user()
    text = signed_in(user).get(PATH).text
    shown = {name: value for name, value in re.findall(r'name="(\w+)" value="(\w)"', text) if name in USUAL}
    assert shown == keys_of(user) == USUAL
    assert not JudgingChoices.objects.exists()


def test_keys_are_the_persons_own() -> None:
    user, other = make_user(), make_user()
    chosen = {**USUAL, "undo": "Z", "grade_3": "J", "later": ""}
    answer = signed_in(user).post(PATH, chosen)
    assert (answer.status_code, answer["Location"]) == (302, PATH)
    expected = {**USUAL, "undo": "z", "grade_3": "j"}
    del expected["later"]
    assert keys_of(user) == expected
    assert keys_of(other) == USUAL


def test_the_way_back_to_the_batch_stays() -> None:
    user, token = make_user(), "A" * 22
    client = signed_in(user)
    assert f'href="/judge/{token}/"' in client.get(f"{PATH}?batch={token}").text
    assert client.post(f"{PATH}?batch={token}", USUAL)["Location"] == f"{PATH}?batch={token}"
    assert "Back to judging" not in client.get(f"{PATH}?batch=/elsewhere").text


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"skip": "u"}, "U is taken: Undo: open the last card again."),
        ({"grade_2": "L"}, "L is taken: Later: put it to the end of the topic."),
        ({"skip": "7"}, "A letter from A to Z"),
        ({"skip": "ä"}, "A letter from A to Z"),
        ({"skip": "?"}, "A letter from A to Z"),
        ({"skip": "ss"}, "at most 1 character"),
    ],
)
def test_what_clashes_or_is_no_letter_is_refused(changed: dict[str, str], message: str) -> None:
    user = make_user()
    answer = signed_in(user).post(PATH, {**USUAL, **changed})
    assert answer.status_code == 200
    assert message in answer.text
    assert not JudgingChoices.objects.exists()


def test_the_usual_keys_come_back() -> None:
    user = make_user()
    client = signed_in(user)
    client.post(PATH, {**USUAL, "undo": "z"})
    client.post(PATH, {**USUAL, "undo": "q", "reset": "yes"})
    assert keys_of(user) == USUAL


def test_a_new_deed_gets_its_usual_letter_only_where_it_is_free() -> None:
    user = make_user()
    known = {deed: key for deed, key in USUAL.items() if deed not in {"meanings", "topic"}}
    JudgingChoices.objects.create(user=user, keys={**known, "undo": "t"})
    assert keys_of(user) == {**known, "undo": "t", "meanings": "d"}


def test_only_grades_of_the_persons_scales_are_offered() -> None:
    """A letter for another grade stays, unless a deed takes it."""
    user = make_user()
    JudgingChoices.objects.create(user=user, keys={**USUAL, "grade_7": "j", "grade_8": "z"})
    collection = make_collection()
    make_batch(collection, [make_annotator(collection, user)])
    client = signed_in(user)
    offered = re.findall(r'name="grade_(\d+)"', client.get(PATH).text)
    assert offered == ["0", "1", "2", "3", "4"]
    client.post(PATH, {**USUAL, "grade_3": "j"})
    assert keys_of(user) == {**USUAL, "grade_3": "j", "grade_8": "z"}
