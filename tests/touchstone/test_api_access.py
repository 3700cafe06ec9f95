"""Who may call what, over every operation of the API, and what an id of another collection is answered.

What a token's scope allows over every operation: tests/annotation/kernel/test_token_scopes.py. None of these answers
depends on the database: `make test-postgres-all` says so before a release, the pass on PostgreSQL need not.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.annotation.callers import Program, caller
from tests.factories import make_user
from tests.operations.calls import Operation, all_operations, names_in
from tests.operations.kept import for_one_test, kept_worlds
from tests.operations.table import ANYBODY, CALLING, JUDGES, MAKERS, MEMBERS, OWNER, TABLE
from tests.operations.world import World

pytestmark = pytest.mark.django_db

Rows = dict[str, tuple[int, str]]  # by table: how many, and a hash of what they hold

EVERYBODY = ("anonymous", *ANYBODY)
NO_IDS = {"name", "guideline"}  # what a body repeats of the collection itself
NEVER_CHANGED = {"annotation_apitoken"}  # but for when it was last used
TABLES = sorted({model._meta.db_table for model in apps.get_models()} - NEVER_CHANGED)
ALL = {operation.title: operation for operation in all_operations()}


@dataclass(frozen=True)
class Stage:
    """Two collections that know nothing of each other; everybody calls the birds."""

    birds: World
    fish: World
    clients: dict[str, Client]


@pytest.fixture(scope="module")
def worlds(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[tuple[World, ...], Path]]:
    files = tmp_path_factory.mktemp("worlds")
    with kept_worlds("birds", "fish", files=files, blocker=django_db_blocker) as worlds:
        yield worlds, files


@pytest.fixture
def stage(worlds: tuple[tuple[World, ...], Path], db: None) -> Stage:
    birds, fish = for_one_test(*worlds)
    people = {**birds.people, "outsider": make_user("outsider"), "elsewhere": fish.people["admin"]}
    return Stage(birds, fish, {"anonymous": Program(), **{who: caller(each) for who, each in people.items()}})


def test_every_operation_has_its_line() -> None:
    assert set(TABLE) == set(ALL)


def test_all_others_who_may_are_served(stage: Stage) -> None:
    """Beside those whose answers test_schema_holds.py looks at as well. Each call is undone, but for the file that a
    discarded arrival loses: it comes last."""
    wrong = {}
    for each in sorted(ALL.values(), key=lambda operation: operation.name == "arrival_discard"):
        for who in sorted({*each.line.who} - {*CALLING}):
            with transaction.atomic():
                for turn in filter(None, (ALL.get(each.line.after), each)):
                    values = stage.birds.address(turn.method.upper(), turn.name)
                    status = turn.call(stage.clients[who], values, words(stage, who)).status_code
                transaction.set_rollback(True)
            if not 200 <= status < 300:
                wrong[each.title, who] = status
    assert wrong == {}


def test_all_others_are_refused_and_change_nothing(stage: Stage) -> None:
    before = rows()
    wrong = {}
    for each, who in refusals():
        client, values = stage.clients[who], stage.birds.address(each.method.upper(), each.name)
        answer = reply(each.call(client, values, words(stage, who)))
        if answer[0] != refusal(each, who) or (answer[0] == 404 and answer != of_nothing(each, client, values, stage)):
            wrong[each.title, who] = answer
    assert wrong == {}
    assert changed(before) == {}


def test_an_id_of_another_collection_in_an_address_is_as_one_that_nothing_has(stage: Stage) -> None:
    before = rows()
    wrong = {}
    client, ids = stage.clients["lead"], words(stage, "lead")
    for each, name in parameters():
        values = stage.birds.address(each.method.upper(), each.name)
        foreign = (stage.fish.address(each.method.upper(), each.name) | stage.fish.names)[name]
        answer = reply(each.call(client, values | {name: foreign}, ids))
        if answer[0] != 404 or answer != reply(each.call(client, values | {name: nothing_like(foreign)}, ids)):
            wrong[each.title, name] = answer
    assert wrong == {}
    assert changed(before) == {}


def test_an_id_of_another_collection_in_what_is_sent_is_as_one_that_nothing_has(stage: Stage) -> None:
    before = rows()
    wrong = {}
    client, ids = stage.clients["lead"], words(stage, "lead")
    for each, name in sent_ids():
        values = stage.birds.address(each.method.upper(), each.name)
        foreign = (stage.fish.only | stage.fish.own["lead"])[name.partition(":")[0]]
        nothing = nothing_like(foreign)
        answer = reply(each.call(client, values, ids | {name: foreign}), foreign)
        expected = reply(each.call(client, values, ids | {name: nothing}), nothing)
        if answer != expected or answer[0] not in ({200, 400, 404} if each.method == "get" else {400, 404, 409, 410}):
            wrong[each.title, name] = answer, expected
    assert wrong == {}
    assert changed(before) == {}


def words(stage: Stage, who: str) -> dict[str, str | int]:
    """The ids that a good call of this person sends."""
    return stage.birds.words(who if who in stage.birds.people else "lead")


def refusals() -> Iterator[tuple[Operation, str]]:
    return ((each, who) for each in ALL.values() for who in EVERYBODY if who not in each.line.who)


def refusal(operation: Operation, who: str) -> int:
    """401 for nobody; 403 for who may know of it, 404 for all others."""
    if who == "anonymous":
        return 401
    if operation.line.refusal:
        return operation.line.refusal
    if operation.line.who == MAKERS and "{" not in operation.path:
        return 403
    return 403 if who in MEMBERS and operation.line.who not in (OWNER, JUDGES) else 404


def of_nothing(operation: Operation, client: Client, values: dict[str, Any], stage: Stage) -> object:
    """What the same call is answered where nothing has the last id of its address."""
    last = {"id": "pk"}.get(operation.parameters[-1], operation.parameters[-1])
    nothing = values | {last: nothing_like(values[last])}
    return reply(operation.call(client, nothing, words(stage, "lead")))


def parameters() -> Iterator[tuple[Operation, str]]:
    for each in ALL.values():
        for name in each.parameters:
            if name not in ("slug", "side"):  # a side is no id
                yield each, "pk" if name == "id" else name


def sent_ids() -> Iterator[tuple[Operation, str]]:
    for each in ALL.values():
        for name in sorted(names_in([each.line.body, each.line.query]) - NO_IDS):
            yield each, name


def nothing_like(value: str | int) -> str | int:
    return 987654321 if isinstance(value, int) else "n" * 22


def reply(answer: Any, sent: object = None) -> tuple[int, str]:
    """Status and text, what was sent left out."""
    text = answer.getvalue().decode()
    return answer.status_code, text if sent is None else re.sub(rf"\b{re.escape(str(sent))}\b", "…", text)


def rows() -> Rows:
    """Those of all tables, as the database gives them."""
    with connection.cursor() as cursor:
        return {table: _content(cursor, table) for table in TABLES}


def _content(cursor: CursorWrapper, table: str) -> tuple[int, str]:
    cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 -- our own models
    lines = sorted(map(repr, cursor.fetchall()))
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


def changed(before: Rows) -> dict[str, object]:
    return {name: (each, before[name]) for name, each in rows().items() if each != before[name]}
