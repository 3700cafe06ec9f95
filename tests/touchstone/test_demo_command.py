"""`manage.py demo`: the collection is made once, the links let one in once, and it has what a visitor comes to see."""

import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import Count
from django.test import Client

from annotation.batches.read.overlap import steering_of
from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import verify
from annotation.models import (
    Annotator,
    Batch,
    Collection,
    Document,
    GoldEvent,
    Import,
    Item,
    Job,
    Judgment,
    Pool,
    Qualification,
    Slot,
    Snapshot,
    Topic,
    TopicVersion,
    User,
)
from annotation.people.steps.accounts import create_account
from evaluation.engine.adaptive.methods import METHODS
from evaluation.models import (
    Evaluation,
    ModelComparison,
    PoolingReplay,
    Report,
    Run,
    SensitivityStudy,
    SpaceDescription,
    VectorSet,
)
from tests.demo import URL, MadeDemo
from tests.journeys.invariants import broken_invariants
from tests.touchstone.tour import walk_tour
from touchstone.demo.annotators import BAD, GOOD, PANEL
from touchstone.demo.doubt import FIRST, MOST

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike("the demo journey takes its steps there")]
PEOPLE = ["demo-admin", "demo-researcher", "demo-annotator-1", "demo-annotator-2", "demo-annotator-3"]
LINK = re.compile(r"^ {2}(\S+) +https://demo\.example\.org(/sign-in/\S+)$", re.MULTILINE)
COLLECTION = "/c/almanac/"


def demo_output() -> str:
    out = StringIO()
    call_command("demo", url=URL, stdout=out)
    return out.getvalue()


def signed_in(links: Mapping[str, str], name: str) -> Client:
    client = Client()
    assert client.post(links[name], follow=True).status_code == 200
    assert client.session["_auth_user_id"] == str(User.objects.get(username=name).pk)
    return client


def rows() -> dict[str, list[object]]:
    """The rows of everything that the demo makes but accounts and links."""
    kept = (Collection, Topic, Document, Run, GoldEvent, Batch, Slot, Judgment, Snapshot, Evaluation)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in kept}


def test_the_demo_is_made_once_and_shows_the_whole_path(tmp_path: Path, made_demo: MadeDemo) -> None:
    """One test, for making the demo is what takes the time."""
    output = made_demo.put()
    links = dict(LINK.findall(output))
    assert list(links) == PEOPLE
    assert "Touchstone demo: https://demo.example.org/" in output
    check_material()
    check_judged()
    check_steered()
    researcher = check_pages(links)
    check_vectors(researcher)
    check_desk(researcher)
    check_experiment(researcher)
    check_queries(researcher)
    walk_tour(tmp_path, researcher)

    before = rows()
    again = demo_output()
    assert "The demo collection is there already; its data stay as they are." in again
    assert rows() == before
    check_links(links, dict(LINK.findall(again)))


def check_material() -> None:
    texts = TopicVersion.objects.filter(is_current=True)
    assert texts.count() == Topic.objects.count() >= 8
    assert all(text.title and text.description and text.narrative for text in texts)
    assert Document.objects.count() >= 120
    assert Run.objects.count() >= 5
    assert len(set(Run.objects.values_list("sha256", flat=True))) == Run.objects.count(), "really different runs"
    assert set(GoldEvent.objects.values_list("grade", flat=True)) == {0, 1, 2, 3, 4}


def check_judged() -> None:
    """Judgments of good and bad simulated people, all marked so; a snapshot; every run evaluated against it."""
    judges = Annotator.objects.filter(judgments__isnull=False).distinct()
    assert all(judge.simulated and judge.pseudonym.startswith("simulated-") for judge in judges)
    assert list(judges.filter(kind=Annotator.Kind.MACHINE).values_list("pseudonym", flat=True)) == ["simulated-model"]
    assert judges.filter(kind=Annotator.Kind.PERSON).count() == len((*GOOD, *BAD, *PANEL))
    states = dict(Batch.objects.values_list("name", "state"))
    assert states == {"Round one": "closed", "Round two": "open", "Round three": "open", "Grades of a model": "closed"}
    assert [broken_invariants(batch) for batch in Batch.objects.filter(brought_by=None)] == [[], [], []]
    snapshot = Snapshot.objects.get()
    assert verify(snapshot.qrels_sha256)
    assert snapshot.n_pairs > snapshot.n_dropped
    evaluated = Evaluation.objects.filter(snapshot=snapshot).values_list("run", flat=True)
    assert set(evaluated) == set(Run.objects.values_list("pk", flat=True))


def check_steered() -> None:
    """Pairs that stopped early, pairs in doubt to the end, some under way, one withheld; the gold says how right."""
    batch = Batch.objects.get(name="Round three")
    steering = steering_of(batch)
    assert steering is not None
    assert steering.summary is not None
    first, last = steering.summary.paths[0], steering.summary.paths[-1]
    assert first.n_sure > last.n_maximum > 0
    assert steering.summary.n_wanting > 0
    assert steering.summary.gold.n >= 15
    ordinary = Item.objects.filter(batch=batch, planting=None)
    slot_counts = ordinary.annotate(n=Count("slots")).values_list("n", flat=True)
    assert {FIRST, MOST} <= set(slot_counts) <= set(range(FIRST, MOST + 1))
    assert steering.n_added == sum(n - FIRST for n in slot_counts)
    assert ordinary.filter(withheld=True).count() == 1


def check_pages(links: Mapping[str, str]) -> Client:
    """What each of the five meets; the annotators have work that they can begin. Gives the researcher's session."""
    admin, researcher = signed_in(links, "demo-admin"), signed_in(links, "demo-researcher")
    quality = admin.get(f"{COLLECTION}quality/annotators").text
    assert all(word in quality for word in ("simulated-careful", "simulated-hasty", "reliable", "unreliable"))
    board = researcher.get(f"{COLLECTION}leaderboard/").text
    assert all(f">{run.tag}<" in board for run in Run.objects.all())
    assert "nDCG@10" in board
    assert "Machine judges" in admin.get(f"{COLLECTION}quality/machines").text
    assert "Sure enough" in admin.get(f"{COLLECTION}batches/{Batch.objects.get(name='Round three').token}/").text
    batch = Batch.objects.get(name="Round two")
    before = {"demo-annotator-1": "", "demo-annotator-2": "I have read it and agree", "demo-annotator-3": "<ins>"}
    for name in PEOPLE[2:]:
        client = signed_in(links, name)
        assert f'="/judge/{batch.token}/' in client.get("/").text, "to judge, or to begin the training"
        page = client.post(f"/judge/{batch.token}/start", follow=True).text
        assert ('id="grades"' in page) == (not before[name])
        assert before[name] in page
    results = admin.get(f"{COLLECTION}qualifications/{Qualification.objects.get().token}/").context["people"]
    stood = {row.annotator.pseudonym: (row.has_passed, row.is_out) for row in results}
    good = {f"simulated-{each.name}" for each in GOOD}
    assert {name for name, (passed, _) in stood.items() if passed} >= good
    assert any(out for _, out in stood.values())
    return researcher


def check_vectors(client: Client) -> None:
    """Vectors of two models, each searched into a run that is on the leaderboard; their spaces are described. Both the
    one that was shortened and the other stand beside a reference."""
    sets = list(VectorSet.objects.values_list("model", "side", "n_missing"))
    models = ("hashed-trigrams", "latent-stems")
    assert sorted(sets) == [
        (model, side, 0) for model in (*models, "latent-stems-24") for side in ("documents", "queries")
    ]
    assert SpaceDescription.objects.count() == 4
    comparison = ModelComparison.objects.get()
    page = client.get(f"{COLLECTION}vectors/comparisons/{comparison.pk}").text
    assert ("latent-stems-24 has" in page, "told apart" in page) == (True, True)
    for model in models:
        assert f">{model}<" in client.get(f"{COLLECTION}leaderboard/").text
        space = client.get(f"{COLLECTION}vectors/spaces/documents/{model}")
        assert (space.status_code, "usual warning level" in space.text, "alignment" in space.text) == (200, True, True)


def check_experiment(client: Client) -> None:
    """It fits, found a difference, and could have been stopped."""
    page = client.get(f"{COLLECTION}ab-tests/larger-snippets/").text
    for words in (
        "no mismatch found",
        "found: larger is above old",
        "first excludes 0 at the look of ",
        "Guardrail seconds",
    ):
        assert words in page


def check_desk(client: Client) -> None:
    """Two runs compared, a study of the order, a replay, two reports, a pool that grows."""
    compared = client.get(f"{COLLECTION}leaderboard/compare").text
    assert "In words" in compared
    study = SensitivityStudy.objects.get()
    assert "In words" in client.get(f"{COLLECTION}sensitivity/{study.pk}/").text
    replay = PoolingReplay.objects.get()
    page = client.get(f"{COLLECTION}pools/replays/{replay.pk}/")
    assert {one.title for one in METHODS.values()} <= {*re.findall(r"[^<>]+", page.text)}
    reports = Report.objects.order_by("pk")
    assert [client.get(f"{COLLECTION}reports/{each.pk}/").status_code for each in reports] == [200, 200]
    pool = Pool.objects.get(name__startswith="Deeper")
    assert "max-mean" in client.get(f"{COLLECTION}pools/{pool.pk}/").text.lower()


def check_queries(client: Client) -> None:
    """A sample of a log waits to be published; the log and a run are described beyond ranking."""
    record = Import.objects.get(kind=Import.Kind.QUERIES)
    counts = [["New", 20], ["Unchanged", 0], ["Changed", 0]]
    assert (record.state, [list(each) for each in record.preview["counts"][:3]]) == ("checked", counts)
    assert "torso, of 30" in client.get(f"{COLLECTION}imports/{record.pk}/").text
    text = client.get(f"{COLLECTION}beyond/").text
    assert "have no result" in text
    assert "of the catalogue" in text


def check_links(old: Mapping[str, str], new: Mapping[str, str]) -> None:
    """A second call prints fresh links; each lets in once."""
    assert list(new) == PEOPLE
    assert not set(old.values()) & set(new.values())
    assert [Client().post(old[name]).status_code for name in PEOPLE] == [404] * 5
    assert [Client().post(new[name]).status_code for name in PEOPLE] == [302] * 5
    assert [Client().post(new[name]).status_code for name in PEOPLE] == [404] * 5


def test_a_demo_of_ones_own_by_the_start_page() -> None:
    """The job leaves what it queues to workers, and nobody new can sign in."""
    person = create_account("ada", may_create_collections=True)
    Collection.objects.create(slug="almanac", name="Another", scale=None)
    client = Client()
    client.force_login(person)
    assert "Load the demo collection" in client.get("/").text
    page = client.post("/collections/demo")["Location"]
    assert client.post("/collections/demo")["Location"] == page
    run = claim_job()
    assert run is not None
    job = run_job(run)
    assert (job.state, job.result) == ("done", {"collection": "almanac-2"})
    assert 'href="/c/almanac-2/"' in client.get(page).text
    assert client.get("/c/almanac-2/").status_code == 200
    assert "Load the demo collection" not in client.get("/").text
    assert not User.objects.exclude(pk=person.pk).filter(is_active=True).exists()
    assert not Annotator.objects.filter(collection__slug="almanac-2", simulated=False).exists()
    left = Job.objects.exclude(pk=job.pk).filter(created_at__gte=job.created_at)
    assert {"evaluate_runs", "make_report"} <= set(left.filter(state="queued").values_list("kind", flat=True))


def test_who_may_not_create_collections_is_not_offered_the_demo() -> None:
    client = Client()
    client.force_login(create_account("bob"))
    assert "Load the demo collection" not in client.get("/").text
    assert client.post("/collections/demo").status_code == 403
    assert not Job.objects.exists()
