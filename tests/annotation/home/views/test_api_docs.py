"""The page that shows the API: all of it, and where the types of errors lead."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kernel.problem_details import KINDS
from tests.annotation.against_schema import document, operations
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    browser = Client()
    browser.force_login(make_user())
    return browser


def test_every_operation_and_every_shape_is_there_once(client: Client) -> None:
    page = client.get(reverse("api_docs")).text
    anchors = [operation["operationId"] for operation in operations().values()]
    anchors += [f"shape-{name}" for name in document()["components"]["schemas"] if not name.startswith("Paginated")]
    assert [anchor for anchor in anchors if page.count(f'id="{anchor}"') != 1] == []


def test_every_reference_leads_somewhere(client: Client) -> None:
    page = client.get(reverse("api_docs")).text
    wanted = {part.partition('"')[0] for part in page.split('href="#')[1:]}
    assert {anchor for anchor in wanted if f'id="{anchor}"' not in page} == set()


def test_choices_are_words_and_no_markdown(client: Client) -> None:
    page = client.get(reverse("api_docs")).context
    helps = {field.name: field.help for shape in page["shapes"] for field in shape.fields}
    assert helps["preset"].startswith("Settings to begin with; what is sent beside it holds. `careful`: 3 per pair")
    every = [*helps.values(), *(shape.help for shape in page["shapes"])]
    assert [text for text in every if "* `" in text] == []


def test_an_example_has_what_the_operation_needs(client: Client) -> None:
    page = client.get(reverse("api_docs")).context["subjects"]
    examples = {each.anchor: each.example for subject in page for each in subject.operations}
    command = next(example for anchor, example in examples.items() if "tokens_create" in anchor)
    assert ("-X POST", '-d \'{"name": "…"}\'' in command) == ("-X POST", True)
    assert all('"http://testserver/api/v1/' in example for example in examples.values())


def test_the_type_of_an_error_leads_to_its_line(client: Client) -> None:
    page = client.get(reverse("api_docs")).text
    for kind in KINDS:
        target = client.get(kind.uri)
        assert (target.status_code, target.headers["Location"]) == (302, f"/api/docs#problem-{kind.code}")
        assert f'id="problem-{kind.code}"' in page
    assert client.get("/api/problems/none").status_code == 404


def test_the_anonymous_visitor_is_sent_to_sign_in() -> None:
    for address in ("/api/docs", "/api/problems/refused"):
        assert Client().get(address).headers["Location"] == f"/login?next={address}"
