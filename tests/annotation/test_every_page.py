"""Every page and file of a collection with a bit of everything is answered: all that pages read, on both databases."""

import pytest
from django.test import Client

from tests.browser.campaign import make_campaign
from tests.browser.test_pages import DEEDS, ELSEWHERE, ROUTES, address

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]


def test_every_page_and_file_is_answered() -> None:
    campaign, client = make_campaign(), Client()
    client.cookies["touchstone_session"] = campaign.session
    names = sorted(ROUTES.keys() - DEEDS - ELSEWHERE.keys())
    answers = {name: client.get(address(campaign, name)) for name in names}
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 200} == {}
    for answer in answers.values():
        answer.getvalue()  # a file that is read to its end
