"""What changed between two snapshots: by hand, and the same by page, API and command."""

import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Snapshot
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.changes.read import earlier_snapshots, snapshot_changes
from evaluation.engine.qrels import Qrels
from evaluation.engine.qrels_changes import PairChange, qrels_changes
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Run
from tests.annotation.callers import caller, send
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.accounted import make_accountable, work
from tests.factories import make_run, make_snapshot

BEFORE = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n3 0 a 1\n"
AFTER = "1 0 a 0\n1 0 b 2\n1 0 d 1\n2 0 a 1\n4 0 a 1\n"
CHANGES = [
    ("1", "a", 2, 0), ("1", "b", 0, 2), ("1", "c", 1, None), ("1", "d", None, 1), ("3", "a", 1, None),
    ("4", "a", None, 1),
]  # fmt: skip


def qrels(text: str) -> Qrels:
    rows = [line.split() for line in text.splitlines()]
    return Qrels.of([row[0] for row in rows], [row[2] for row in rows], [int(row[3]) for row in rows])


def test_pairs_by_hand() -> None:
    changes = qrels_changes(qrels(BEFORE), qrels(AFTER))
    assert list(changes.changes) == [PairChange(*change) for change in CHANGES]
    assert (changes.n_added, changes.n_removed, changes.n_regraded, changes.n_same) == (2, 2, 2, 1)
    assert changes.by_grades == [(None, 1, 2), (2, 0, 1), (0, 2, 1), (1, None, 2)]


def beginning() -> tuple[People, Snapshot]:
    """Two imported snapshots; a is ahead in the first, b in the second, over topics 1 and 2, which both have."""
    people = make_people()
    before = make_snapshot(people.collection, BEFORE, name="before")
    after = make_snapshot(people.collection, AFTER, name="after")
    for tag in "ab":
        make_run(people.collection, f"1 Q0 {tag} 1 1 {tag}\n2 Q0 a 1 1 {tag}\n")
    for snapshot in (before, after):
        ask_evaluation(snapshot, Run.objects.all(), averaging="complete", measures=[], created_by=None)
        work()
    return people, after


@pytest.mark.django_db
def test_page_api_and_command_say_the_same() -> None:
    people, after = beginning()
    page = f"/c/bees/snapshots/{after.pk}/changed"
    assert people.statuses(page) == RESEARCH_ONLY
    client = people.client("researcher")
    shown, file = client.get(page).text, json.loads(client.get(page, {"form": "json"}).content)
    answer = send(caller(people.researcher), "get", reverse("api_snapshot_changed", args=["bees", after.pk]))
    command = json.loads(ran("snapshot_changes", "bees", "before", "after", "--json").out)
    assert file == answer.json() == command
    assert [(each["topic"], each["docno"], each["before"], each["after"]) for each in file["changes"]] == CHANGES
    for sentence in file["conclusion"]:
        assert sentence in shown
    assert file["conclusion"][0] == ("From before to after: 2 pairs came, 2 went, 2 with another grade, 1 unchanged.")
    csv = client.get(page, {"form": "csv"}).text
    assert csv == ran("snapshot_changes", "bees", "before", "after", "--format", "csv").out
    assert "change places (a and b)" in ran("snapshot_changes", "bees", "before", "after").out


@pytest.mark.django_db
def test_runs_are_set_beside_each_other_over_the_topics_of_both() -> None:
    _, after = beginning()
    effect = snapshot_changes(Snapshot.objects.get(name="before"), after).effect
    assert effect is not None
    (ndcg,) = [cases for cases in effect.measures if cases.measure == "RR"]
    assert (effect.n_topics, effect.cases, effect.n_pairs) == (2, ("before", "after"), (4, 4))
    assert ndcg.mean == ((1.0, 0.5), (0.5, 1.0))
    assert [(swap.ahead, swap.behind) for swap in ndcg.changes[0].swaps] == [("a", "b")]
    again = snapshot_changes(Snapshot.objects.get(name="before"), after).effect
    assert again == effect
    assert again.measures is effect.measures, "the tests of all pairs are made once"


@pytest.mark.django_db
def test_of_frozen_snapshots_it_says_what_they_were_made_from_and_why_a_pair_is_missing() -> None:
    """Nobody is asked for agreement in the second, so that d3 comes; who judged d2 is excluded, so that it goes."""
    campaign = make_accountable()
    collection, batch = campaign.worked.collection, campaign.worked.batch
    loose = store_policy(collection, name="loose", parameters=Parameters(max_range=None), actor=None)
    exclude_annotator(collection.annotators.get(pseudonym="Cedar"), reason="Away", actor=None)
    second = freeze_snapshot(collection, name="second", batches=[batch], policy=loose, created_by=None)
    assert earlier_snapshots(second) == [campaign.snapshot]
    changes = snapshot_changes(campaign.snapshot, second)
    differing = {each.what: (each.before, each.after) for each in changes.origins if not each.is_same}
    assert differing["Policy"] == ("default v1", "loose v1")
    assert differing["Largest difference of grades on a kept pair"] == ("1", "no limit")
    assert (differing["Excluded"][0], "Cedar" in differing["Excluded"][1]) == ("nobody", True)
    assert all(changes.reason_of(pair) for pair in changes.pairs.changes if None in (pair.before, pair.after))
    assert changes.effect is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "code"),
    [(("bees", "before", "before"), 2), (("bees", "before", "never"), 2), (("bees", "after", "before"), 0)],
)
def test_names_of_the_command(words: tuple[str, ...], code: int) -> None:
    beginning()
    assert ran("snapshot_changes", *words).code == code


@pytest.mark.django_db
def test_an_unknown_earlier_one_and_none_at_all() -> None:
    people, after = beginning()
    client, first = people.client("researcher"), Snapshot.objects.get(name="before")
    assert client.get(f"/c/bees/snapshots/{after.pk}/changed", {"since": "never"}).status_code == 404
    assert "Nothing before it" in client.get(f"/c/bees/snapshots/{first.pk}/changed").text
    answers: list[Any] = [
        send(caller(people.researcher), "get", reverse("api_snapshot_changed", args=["bees", pk]), {"since": "never"})
        for pk in (after.pk, first.pk)
    ]
    assert [answer.status_code for answer in answers] == [400, 400]
