"""What every operation of the API keeps: ETags, one way of paging, a key under which a request is done once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.annotation.callers import caller
from tests.operations.calls import Operation, all_operations, filled
from tests.operations.kept import for_one_test, kept_worlds
from tests.operations.world import World
from tests.touchstone.test_api_access import changed, rows

pytestmark = pytest.mark.django_db

ALL = {operation.title: operation for operation in all_operations()}


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


@pytest.fixture
def lead(world: World) -> Client:
    return caller(world.people["lead"])


def call(operation: Operation, world: World, client: Client) -> Any:
    values = world.address(operation.method.upper(), operation.name)
    return operation.call(client, values, world.words("lead"))


def test_who_has_an_answer_already_is_told_so(world: World, lead: Client) -> None:
    """Judgments have no ETag: they are read while they are sent, and people judge meanwhile."""
    wrong, without = {}, set()
    for each in ALL.values():
        if each.method != "get":
            continue
        first = call(each, world, lead)
        if "ETag" not in first.headers:
            without.add(each.title)
            continue
        lead.defaults["HTTP_IF_NONE_MATCH"] = first.headers["ETag"]
        again = call(each, world, lead)
        del lead.defaults["HTTP_IF_NONE_MATCH"]
        if (again.status_code, again.getvalue(), again.headers["ETag"]) != (304, b"", first.headers["ETag"]):
            wrong[each.title] = again.status_code
    assert (wrong, sorted(without)) == ({}, ["GET judgments"])


def test_lists_come_in_pages_of_one_form(world: World, lead: Client) -> None:
    wrong, n_lists = {}, 0
    for each in ALL.values():
        answer = call(each, world, lead) if each.method == "get" else None
        if answer is None or answer.headers["Content-Type"] != "application/json" or "results" not in answer.json():
            continue
        n_lists += 1
        count, rows_of_it = answer.json()["count"], answer.json()["results"]
        address = each.address(world.address("GET", each.name))
        query = {**filled(each.line.query, world.words("lead")), "page_size": 1}
        page = lead.get(address, query).json()
        following = lead.get(page["next"]).json()["results"] if page["next"] else []
        if (page["count"], page["previous"], [*page["results"], *following]) != (count, None, rows_of_it[:2]):
            wrong[each.title] = page
        if lead.get(address, {**query, "page": 9999}).status_code != 404:
            wrong[each.title] = "a page that is not there"
    assert wrong == {}
    assert n_lists > 20


@pytest.mark.parametrize(("body", "reason"), [('{"a": 1, "a": 2}', "stands twice"), ("[" * 100_000, "too deeply")])
def test_json_is_read_strictly(body: str, reason: str, world: World, lead: Client) -> None:
    """No operation takes one of two values without a word."""
    before, wrong, n_bodies = rows(), {}, 0
    for each in ALL.values():
        if each.line.body is None or each.sends_file:
            continue
        n_bodies += 1
        address = each.address(world.address(each.method.upper(), each.name))
        answer = lead.generic(each.method.upper(), address, body, content_type="application/json")
        if answer.status_code != 400 or reason not in answer.json()["detail"]:
            wrong[each.title] = answer.status_code
    assert (wrong, changed(before), n_bodies > 50) == ({}, {}, True)


def test_what_is_posted_again_under_its_key_is_done_once(world: World, lead: Client) -> None:
    """The same answer, and nothing changes; what tells a secret does not tell it again.

    Judgments with names are a file, and every time they are taken stands in the record.
    """
    wrong, told_once = {}, set()
    posts = [each for each in ALL.values() if each.method == "post" and each.name != "judgments_named"]
    for each in sorted(posts, key=lambda operation: operation.name == "arrival_discard"):
        with transaction.atomic():
            if each.line.after:
                call(ALL[each.line.after], world, lead)
            lead.defaults["HTTP_IDEMPOTENCY_KEY"] = "one"
            first, before = call(each, world, lead), rows()
            again = call(each, world, lead)
            del lead.defaults["HTTP_IDEMPOTENCY_KEY"]
            is_same = (again.status_code, again.getvalue()) == (first.status_code, first.getvalue())
            changes = changed(before)
            if (first.status_code, again.status_code, changes) == (201, 409, {}):
                told_once.add(each.title)
            elif first.status_code >= 300 or not is_same or changes:
                wrong[each.title] = (first.status_code, again.status_code, changes.keys())
            transaction.set_rollback(True)
    assert wrong == {}
    assert told_once == {"POST invitations", "POST own_tokens", "POST person_password_link", "POST recipients"}
