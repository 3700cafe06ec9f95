"""Half a character, which JSON can send and UTF-8 cannot write, is refused as any other word that is no choice."""

import pytest
from django.urls import reverse

from tests.annotation.callers import caller
from tests.annotation.refused_fields import refused_fields
from tests.annotation.review.api.test_objections import started
from tests.annotation.roles import make_people

pytestmark = pytest.mark.django_db
HALF = "\\ud800"  # as JSON writes it


def test_a_choice_that_is_none() -> None:
    client = caller(make_people().admin)
    body = f'{{"role": "{HALF}"}}'
    answer = client.post(reverse("api_invitations", args=["bees"]), body, content_type="application/json")
    assert (answer.status_code, refused_fields(answer)) == (400, {"role"})
    assert HALF.encode() in answer.content


def test_a_decision_that_is_none() -> None:
    _, _, client, one = started()
    answer = client.post(one, f'{{"decision": "{HALF}", "answer": "x"}}', content_type="application/json")
    assert (answer.status_code, refused_fields(answer)) == (400, {"decision"})
