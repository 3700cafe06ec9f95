"""The page of gold of a large campaign, from what the worker made last: what has changed since is not offered."""

import pytest
from django.test import Client

from annotation.gold.steps.events import set_gold
from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.showing import HEADER
from annotation.quality.standing import STANDINGS, Standing
from annotation.trust.read.gold_effect import Score, Touched, still_held
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from annotation.trust.steps.results import sweep_results
from tests.annotation.roles import make_people
from tests.annotation.trust.read.large import make_all, make_large
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db


def test_gold_set_since_is_listed_before_the_worker_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_people()
    client, worked = people.client("admin"), make_large(people, monkeypatch)
    make_all()
    before, n_gold, is_older = _listed(client)
    assert (len(before), is_older) == (n_gold, False)
    topic, document = worked.items["d3"].topic, worked.items["d3"].document
    set_gold(worked.collection, topic=topic, document=document, grade=2, accepted=[], reason="", actor=None)
    assert _listed(client) == ([*before, "d3"], n_gold, True)
    sweep_results()
    assert _listed(client) == ([*before, "d3"], n_gold + 1, False)


def _listed(client: Client) -> tuple[list[str], int, bool]:
    """The documents of the list, the number of pairs above it, and whether that is older."""
    answer = client.get("/c/bees/gold/")
    return (
        [each.row.document.docno for each in answer.context["rows"]],
        answer.context["n_gold"],
        HEADER in answer.headers,
    )


def test_who_was_brought_back_since_is_not_offered_again() -> None:
    worked = make_worked(make_people().collection)
    cedar, score = worked.people["Cedar"], Score(1, 2, STANDINGS[Standing.RELIABLE])
    exclude_annotator(cedar, reason="Away", actor=None)
    exclusion = current_exclusions(worked.collection)["Cedar"]
    freed = [Touched("Cedar", score, score, exclusion, None, exclusion_over=True, pause_over=False)]
    assert still_held(worked.collection, freed) == freed
    reinstate_annotator(cedar, reason="Back", actor=None)
    assert still_held(worked.collection, freed) == []
