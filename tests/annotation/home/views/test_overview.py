"""The overview of a collection: what is told and asked of whom."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.batches.steps.batches import pause_batch
from annotation.health.pages.cached import clear_cache
from annotation.home.pages.collection_quality import CollectionQuality, clear_quality, figures_of, kept_quality
from annotation.kernel.tasks import Task
from annotation.models import Batch, Slot
from annotation.trust.pages.report import quality_report
from annotation.trust.read.policies import default_policy, parameters_of
from annotation.trust.read.proposals import Proposal
from annotation.trust.read.withheld import judged_batches
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_annotators, make_batch, make_decision

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]


@pytest.fixture
def people() -> People:
    clear_cache()
    clear_quality()
    return make_people()


def tasks(people: People, who: str = "admin", query: str = "") -> list[Task]:
    shown: list[Task] = people.client(who).get(f"/c/bees/{query}").context["overview"].tasks
    return shown


def height_of(page: str) -> list[str]:
    """What the height of the moving part follows from: its elements, whatever they say."""
    part = page[page.index('<div id="now"') :]
    return re.findall(r"<(?:li|h2|h3|dt|dd|progress)\b", part[: part.index("</main>")])


def overview(people: People, who: str = "admin") -> str:
    return people.client(who).get("/c/bees/").text


def test_each_count_leads_to_what_it_counts(people: People) -> None:
    counted = {
        "topics": "topics", "documents": "documents", "people": "annotators",
        "batches": "batches", "quality": "judgments", "snapshots": "snapshots",
    }  # fmt: skip
    for page, name in counted.items():
        assert f'<a class="value" href="/c/bees/{page}/"><span class="visually-hidden">{name.title()}' in overview(
            people
        )
    assert '<a class="value" href="/c/bees/people/">' not in overview(people, "researcher")


def test_the_way_is_open_until_people_can_judge_and_folded_then(people: People) -> None:
    assert "<details open>" in overview(people)
    make_batch(people.collection, [], state=Batch.State.OPEN)
    assert "<details open>" not in overview(people)


def test_who_may_not_do_a_step_reads_who_does_it(people: People) -> None:
    for who, address in (("admin", "/c/bees/imports/new/topics"), ("researcher", "")):
        answer = people.client(who).get("/c/bees/")
        checklist = answer.context["checklist"]
        assert (checklist.next.step.page, checklist.next.address) == ("topics", address)
        assert ("an admin does it" in answer.text) == (not address)
    opens = {each.step.page: each.address for each in checklist.steps}
    assert (opens["runs"], opens["gold"], opens["people"]) == ("/c/bees/runs/new", "", "")


def test_deeds_are_for_those_who_may_do_them(people: People) -> None:
    batch = make_batch(people.collection, [], state=Batch.State.LAID_OUT)
    draft = make_batch(people.collection, [], state=Batch.State.DRAFT)
    birch, cedar = make_annotators(people.collection, ["Birch", "Cedar"])
    pause_annotator(birch, reason="Too fast.", actor=None)
    page = f"/c/bees/batches/{batch.token}/step"
    assert [(each.deed, each.address, each.step) for each in tasks(people)] == [
        ("Resume or exclude", "/c/bees/quality/annotators/Birch/", ""),
        ("Try it and lay it out", f"/c/bees/batches/{draft.token}/dry-run", ""),
        ("Open it", page, "open"),
    ]
    assert tasks(people, "researcher") == []
    pause_annotator(cedar, reason="Too fast.", actor=None)
    assert tasks(people)[0].address == "/c/bees/quality/pausing"
    for each in (birch, cedar):
        exclude_annotator(each, reason="Made up.", actor=None)
    assert [each.deed for each in tasks(people)] == ["Try it and lay it out", "Open it"]


def test_five_at_most_stand_open_and_the_others_fold(people: People) -> None:
    make_batch(people.collection, [], state=Batch.State.OPEN)
    for _ in range(6):
        make_batch(people.collection, [], state=Batch.State.DRAFT)
    answer = people.client("admin").get("/c/bees/")
    shown = answer.context["overview"]
    assert (len(shown.tasks), len(shown.further)) == (5, 2)
    assert "<summary>2 more</summary>" in answer.text


@pytest.mark.parametrize(("n_people", "noun"), [(1, "person"), (2, "people")])
def test_one_person_is_no_people(n_people: int, noun: str) -> None:
    believed = figures_of(CollectionQuality(n_people=n_people), "bees")[-1]
    assert (believed.value, believed.note) == (f"0 of {n_people}", f"{noun}, by the default policy")


def test_what_comes_later_finds_its_place_and_says_what_the_pages_say(people: People) -> None:
    worked = make_worked(people.collection)
    worked.fill()
    make_decision(worked.items["d3"], 1)
    Batch.objects.update(gold_share=0, cost_per_judgment=2)
    client = people.client("admin")
    first = client.get("/c/bees/")
    assert 'hx-get="/c/bees/?figures=now"' in first.text
    whole = client.get("/c/bees/?figures=now")
    assert "hx-get" not in whole.text
    assert height_of(whole.text) == height_of(first.text)
    part = client.get("/c/bees/?figures=now", headers={"HX-Request": "true"}).text
    assert "<html" not in part
    kept = client.get("/c/bees/").context["overview"]
    assert kept.is_whole
    assert kept == whole.context["overview"]

    policy = parameters_of(default_policy(people.collection))
    report = quality_report(people.collection, judged_batches(people.collection), policy)
    assert report.worth
    agreement, gold, believed = kept.figures
    assert agreement.value == f"{report.agreement.alpha.value:.2f}".replace("-", "−")
    assert gold.value == f"{100 * report.worth.right:.0f} %"
    assert believed.value == f"{report.n_believed} of {report.n_people}"
    (batch,) = kept.batches
    health = client.get(f"/c/bees/batches/{worked.batch.token}/health").context
    assert (batch.report.progress, batch.cost) == (health["report"].progress, health["cost"])
    waiting = client.get("/c/bees/quality/contested/").context["waiting"]
    assert (len(waiting), waiting.n_contested) == (3, 4)
    assert kept.tasks[0].text == "1 alert: wrong on gold."
    assert kept.tasks[1].text == f"{len(waiting)} contested pairs wait for a decision."
    assert (kept.tasks[1].method, kept.tasks[1].address) == ("post", "/c/bees/quality/contested/next")
    assert tasks(people, "researcher")[1].address == "/c/bees/quality/contested/"


def test_what_somebody_did_since_makes_it_look_again(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = make_worked(people.collection)
    client = people.client("admin")
    client.get("/c/bees/?figures=now")
    assert client.get("/c/bees/").context["overview"].is_whole
    worked.judge("d5", "Amber", 1)
    assert kept_quality(people.collection)[1]  # one more judgment changes little
    assert client.get("/c/bees/").context["overview"].is_whole
    monkeypatch.setattr("annotation.health.pages.cached.LATELY", 0)
    assert not client.get("/c/bees/").context["overview"].is_whole
    assert client.get("/c/bees/?figures=now").context["overview"].is_whole
    assert client.get("/c/bees/").context["overview"].is_whole
    pause_batch(worked.batch, actor=people.admin)
    stale = client.get("/c/bees/").context["overview"]
    assert (stale.is_whole, kept_quality(people.collection)[1]) == (False, False)
    assert stale.batches[0].report  # as it was


def test_whoever_was_paused_is_not_proposed_once_more(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = make_worked(people.collection)
    proposed = [Proposal(name, {"accuracy": "Low."}) for name in ("Amber", "Birch")]
    monkeypatch.setattr("annotation.home.pages.collection_quality.proposals", lambda collection: proposed)
    client = people.client("admin")
    client.get("/c/bees/?figures=now")
    assert _who_would_be_paused(client) == {"The rules would pause Amber and 1 other."}
    pause_annotator(worked.people["Amber"], reason="Too fast.", actor=people.admin)
    assert _who_would_be_paused(client) == {"The rules would pause Birch."}


def _who_would_be_paused(client: Client) -> set[str]:
    """As the start page and the overview say at once."""
    start, overview = client.get("/").context["led"], client.get("/c/bees/").context["overview"]
    return {task.text for task in (*start.tasks, *overview.tasks) if "rules would" in task.text}


def test_who_leads_and_judges_finds_their_cards(people: People) -> None:
    own = make_annotators(people.collection, ["Alder"])[0]
    own.user = people.admin
    own.save()
    batch = make_batch(people.collection, [own], n_topics=1, n_documents=1)
    assert ("Judge", f"/judge/{batch.token}/") in [(each.deed, each.address) for each in tasks(people)]
    assert "Judge" not in [each.deed for each in tasks(people, "researcher")]
    Slot.objects.update(state=Slot.State.JUDGED)
    assert "Judge" not in [each.deed for each in tasks(people)]


def test_queries_do_not_grow_with_what_is_shown(people: People) -> None:
    def n_queries(n: int) -> int:
        for name in (f"A{n}", f"B{n}"):
            who = make_annotators(people.collection, [name])[0]
            pause_annotator(who, reason="Too fast.", actor=None)
            for state in (Batch.State.OPEN, Batch.State.DRAFT, Batch.State.LAID_OUT):
                make_batch(people.collection, [], state=state)
        client = people.client("admin")
        client.get("/c/bees/")
        with CaptureQueriesContext(connection) as queries:
            client.get("/c/bees/")
        return len(queries)

    assert n_queries(1) == n_queries(2)
