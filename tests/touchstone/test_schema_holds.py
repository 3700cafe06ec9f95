"""The schema holds: calls drawn from it, good ones and bad ones, as four roles, are answered as it says."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.urls import resolve
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation.kernel.api_tokens import make_api_token
from annotation.models import Collection, Role
from tests.annotation.against_schema import document
from tests.browser.campaign import Campaign, make_campaign
from tests.drawing import FUZZ_TIMES
from tests.factories import make_member, make_user
from touchstone.charset import readable_types
from touchstone.uploads import whole_bodies

Callers = dict[str, dict[str, str]]  # headers of each

pytestmark = pytest.mark.django_db

application = readable_types(whole_bodies(get_wsgi_application()))  # as the web server has it, with its connections

EXAMPLES = 3 * (FUZZ_TIMES or 1)  # of each operation, and each of good and bad calls
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """The server closes no connection between two requests: the test's transaction lives in it."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def schema_of(campaign: Campaign) -> dict[str, Any]:
    """With ids that are there, beside one that is not."""
    schema: dict[str, Any] = deepcopy(dict(document()))
    for path, methods in schema["paths"].items():
        known = campaign.usual | campaign.special.get(_name(path), {})
        for operation in methods.values():
            for each in operation.get("parameters", []):
                if each["in"] == "path":
                    value = known.get({"id": "pk"}.get(each["name"], each["name"]))
                    if each["schema"]["type"] == "integer" and not isinstance(value, int):
                        value = 1  # a version: the first
                    unknown = [] if each["name"] == "slug" else [0 if isinstance(value, int) else "none"]
                    each["schema"]["enum"] = [value, *unknown]
    return schema


def _name(path: str) -> str:
    plain = "".join("1" if turn % 2 else part for turn, part in enumerate(path.replace("}", "{").split("{")))
    return (resolve(plain).url_name or "").removeprefix("api_")


def operations(campaign: Campaign) -> Iterator[Any]:
    schema = schemathesis.openapi.from_dict(schema_of(campaign))
    schema.app = application
    each: Any
    for each in schema.get_all_operations():
        yield each.ok()


def answers_hold(operation: Any, mode: GenerationMode, callers: Callers) -> None:
    """To everybody the same calls, each undone: to draw one takes longer than to answer it."""
    settings = hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @settings
    @hypothesis.given(operation.as_strategy(generation_mode=mode))
    def answer_holds(case: Any) -> None:
        for who, headers in callers.items():
            hypothesis.note(f"called by: {who}")
            with transaction.atomic():
                case.call_and_validate(headers=headers, checks=CHECKS)
                transaction.set_rollback(True)

    answer_holds()


def make_callers(collection: Collection) -> Callers:
    """By role, and a visitor."""
    people = {role: make_member(collection, make_user(f"caller-{role}"), Role(role)) for role in Role.values}
    tokens = {role: make_api_token(person, name="x") for role, person in people.items()}
    return {"visitor": {}, **{role: {"Authorization": f"Bearer {token}"} for role, token in tokens.items()}}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_as_the_schema_says(mode: GenerationMode, subtests: pytest.Subtests) -> None:
    campaign = make_campaign()
    callers = make_callers(Collection.objects.get(slug="birds"))
    for operation in operations(campaign):
        with subtests.test(operation.label):
            answers_hold(operation, mode, callers)
