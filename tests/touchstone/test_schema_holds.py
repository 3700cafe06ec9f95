"""The schema holds: good calls and calls drawn from it, as four roles, are answered as it says.

The good calls are those of tests/operations/table.py, by all who may: each is answered with success. Of each
operation two calls near the good one are drawn and two wrong ones, so that each role makes a drawn call of each: how
those are answered who may not is seen there; that they are refused, in test_api_access.py.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation.kernel.api_tokens import make_api_token
from tests.drawing import FUZZ_TIMES
from tests.operations.calls import Operation
from tests.operations.cases import drawable, good_case, near_cases, wrong_cases
from tests.operations.kept import for_one_test, kept_worlds
from tests.operations.table import CALLING
from tests.operations.world import World
from touchstone.charset import readable_types
from touchstone.uploads import whole_bodies

pytestmark = pytest.mark.django_db

application = readable_types(whole_bodies(get_wsgi_application()))  # as the web server has it, with its connections

Headers = dict[str, str]

ROLES = (*CALLING, "")  # the lead is an admin who judges, too; "" is nobody
EXAMPLES = 2 * (FUZZ_TIMES or 1)  # of each operation, of good and of bad calls
ALONE = "arrival_discard"  # its file goes, which no transaction brings back: it comes last
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[tuple[World, ...], Path]]:
    files = tmp_path_factory.mktemp("worlds")
    with kept_worlds("birds", files=files, blocker=django_db_blocker) as worlds:
        yield worlds, files


@pytest.fixture
def world(made: tuple[tuple[World, ...], Path], db: None) -> World:
    (world,) = for_one_test(*made)
    return world


@pytest.fixture(autouse=True)
def one_connection(world: World) -> Iterator[None]:
    """The server closes no connection between two requests: the test's transaction lives in it. Once the world is
    there: Django's own clients connect these signals."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def headers(world: World) -> dict[str, Headers]:
    """By role."""
    people = {who: world.people[who] for who in ROLES if who}
    tokens = {who: make_api_token(person, name="x") for who, person in people.items()}
    return {who: {"Authorization": f"Bearer {tokens[who]}"} if who else {} for who in ROLES}


def operations(world: World) -> list[tuple[Operation, Any]]:
    return sorted(drawable(world, application), key=lambda pair: pair[0].name == ALONE)


def answer(case: Any, headers: Headers) -> int:
    """The status; fails where the answer is not as the schema says."""
    status: int = case.call_and_validate(headers=headers, checks=CHECKS).status_code
    return status


def test_those_who_may_are_served_as_the_schema_says(
    world: World, headers: dict[str, Headers], subtests: pytest.Subtests
) -> None:
    wrong = {}
    each_of = {operation.title: (operation, source) for operation, source in operations(world)}
    for operation, source in each_of.values():
        first = each_of.get(operation.line.after)
        for who in (role for role in ROLES if role in operation.line.who):
            with subtests.test(operation.title, who=who), transaction.atomic():
                if first:
                    answer(good_case(*first, world, who), headers[who])
                status = answer(good_case(operation, source, world, who), headers[who])
                if not 200 <= status < 300:
                    wrong[operation.title, who] = status
                transaction.set_rollback(True)
    assert wrong == {}


@pytest.mark.parametrize(("kind", "partner"), [("near", 1), ("wrong", 3)])  # the first of `ROLES` beside the lead
def test_every_answer_to_a_drawn_call_is_as_the_schema_says(
    kind: str, partner: int, world: World, headers: dict[str, Headers], subtests: pytest.Subtests
) -> None:
    for operation, source in operations(world):
        good = good_case(operation, source, world, "lead")
        cases = near_cases(source, good) if kind == "near" else wrong_cases(source)
        with subtests.test(operation.title):
            _answers_hold(cases, headers, first=partner)


def _answers_hold(cases: "st.SearchStrategy[Any]", headers: dict[str, Headers], *, first: int) -> None:
    """Each call by the lead, who may most, and by one of the others in turn; undone. In `make fuzz` by everybody."""
    partners: dict[str, str] = {}  # of a call: the same when Hypothesis makes it again
    settings = hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @settings
    @hypothesis.given(cases)
    def answers_hold(case: Any) -> None:
        sent = repr((case.path_parameters, case.query, case.headers, case.cookies, case.body))
        partner = partners.setdefault(sent, ROLES[1 + (first - 1 + len(partners)) % 3])
        for who in ROLES if FUZZ_TIMES else (ROLES[0], partner):
            with transaction.atomic():
                answer(case, headers[who])
                transaction.set_rollback(True)

    answers_hold()
