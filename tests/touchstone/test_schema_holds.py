"""The schema holds: good calls and calls drawn from it are answered as it says.

The good calls are those of tests/operations/table.py, by all who may: each is answered with success. Of each
operation the lead makes two drawn calls near the good one and two wrong ones, in `make fuzz` everybody does. That all
others are refused, and as the schema says, is in test_api_access.py.
"""

from collections.abc import Iterator, Sequence
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
EXAMPLES = FUZZ_TIMES or 2  # of each operation, of good and of bad calls
ALONE = "arrival_discard"  # its file goes, which no transaction brings back: it comes last
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def worlds(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[tuple[World, ...], Path]]:
    files = tmp_path_factory.mktemp("worlds")
    with kept_worlds("birds", files=files, blocker=django_db_blocker) as worlds:
        yield worlds, files


@pytest.fixture
def world(worlds: tuple[tuple[World, ...], Path], db: None) -> World:
    (world,) = for_one_test(*worlds)
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


@pytest.mark.properties
@pytest.mark.parametrize("kind", ["near", "wrong"])
def test_every_answer_to_a_drawn_call_is_as_the_schema_says(
    kind: str, world: World, headers: dict[str, Headers], subtests: pytest.Subtests
) -> None:
    for operation, source in operations(world):
        good = good_case(operation, source, world, "lead")
        cases = near_cases(source, good) if kind == "near" else wrong_cases(source)
        with subtests.test(operation.title):
            _answers_hold(cases, [headers[who] for who in (ROLES if FUZZ_TIMES else ("lead",))])


def _answers_hold(cases: "st.SearchStrategy[Any]", headers: Sequence[Headers]) -> None:
    """Each call by all whose headers these are; undone."""
    settings = hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @settings
    @hypothesis.given(cases)
    def answers_hold(case: Any) -> None:
        for each in headers:
            with transaction.atomic():
                answer(case, each)
                transaction.set_rollback(True)

    answers_hold()
