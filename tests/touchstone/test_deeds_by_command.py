"""Every page that changes something has its command, and the commands of single people and pairs do what they say."""

import shlex
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import transaction

from annotation.models import Appeal, Batch, GoldEvent, Item
from tests.commands import Ended, deeds, ran
from tests.operations.commands import CHANGES, COMMANDS, LOOKS, PAGES_ALONE
from tests.operations.world import World, make_world
from tests.test_deeds import OPERATIONS
from tests.touchstone.test_api_access import Rows, changed, rows

# What the steps after others' need, beside `CHANGES`.
AFTER = {
    "alert show-again {slug} {worked} accuracy --about Birch --note 'Not over' --as {lead}": (
        "alert aside {slug} {worked} accuracy --about Birch --note Seen --as {lead}",
    ),
    "batch withdraw {slug} {short}": (
        "batch replace {slug} {short} 4",
        "annotator reinstate {slug} Excluded --reason 'Back again'",
    ),
}

CONFIRMED = ("gold set", "gold withdraw")  # done once it was seen on trial whom they touch


def test_every_page_that_changes_something_has_its_command() -> None:
    assert sorted(OPERATIONS) == sorted({*COMMANDS, *PAGES_ALONE})
    assert not COMMANDS.keys() & PAGES_ALONE.keys()
    known = {name for name, _ in deeds()}
    assert {each for names in COMMANDS.values() for each in names} - known == set()


@pytest.mark.django_db
def test_each_is_tried_then_done() -> None:
    """On trial nothing changes, then something does; all of it is undone before the next."""
    world = make_world("birds")
    ids = ids_of(world)
    wrong: dict[str, object] = {}
    as_it_is = rows()
    for call in CHANGES:
        wrong |= faults(call, ids, rows_before=as_it_is)
    for call, before in AFTER.items():
        wrong |= faults(call, ids, before=before)
    for call in LOOKS:
        with_words, for_programs = run(call, ids), run(f"{call} --json", ids)
        if (with_words.code, for_programs.code) != (0, 0) or not with_words.out or not for_programs.facts:
            wrong[call] = with_words, for_programs
    assert wrong == {}


def faults(
    call: str, ids: dict[str, Any], *, before: Sequence[str] = (), rows_before: Rows | None = None
) -> dict[str, object]:
    """`rows_before`: what there is before the call, where that is known."""
    with transaction.atomic():
        for each in before:
            assert run(each, ids).code == 0
        rows_before = rows_before or rows()
        tried, unchanged = run(f"{call} --dry-run --json", ids), changed(rows_before) == {}
        confirmed = f" --seen {tried.facts['seen']}" if tried.code == 0 and call.startswith(CONFIRMED) else ""
        done = run(f"{call} --json{confirmed}", ids)
        did, stored = changed(rows_before), (done.facts if done.code == 0 else {})
        transaction.set_rollback(True)
    if (tried.code, unchanged, done.code) == (0, True, 0) and did and stored.get("stored", True):
        return {}
    return {call: (tried, unchanged, done, list(did))}


def run(call: str, ids: dict[str, Any]) -> Ended:
    return ran(*shlex.split(filled(call, ids)))


def filled(call: str, ids: dict[str, Any]) -> str:
    for name, value in ids.items():
        call = call.replace("{" + name + "}", shlex.quote(str(value)))
    return call


def ids_of(world: World) -> dict[str, Any]:
    """Those of bodies, and names where the API has tokens."""
    ids = world.words("lead")
    withheld = Item.objects.select_related("topic", "document").get(withheld=True)
    known = GoldEvent.objects.filter(topic__number=ids["number:small"]).select_related("document").earliest("pk")
    return {
        **ids,
        "slug": world.slug,
        "lead": world.people["lead"].username,
        "objection": Appeal.objects.get().token,
        "worked": Batch.objects.get(token=ids["batch"]).name,
        "short": Batch.objects.get(token=world.values["batch_replace"]["token"]).name,
        "number:withheld": withheld.topic.number,
        "docno:withheld": withheld.document.docno,
        "docno:known": known.document.docno,
    }
