"""Pages of a collection that has one of each: "1 judgment", never "1 judgments"; clocks of 24 hours."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Batch, Collection, Planting, Pool, Role
from annotation.people.steps.invitations import make_invitations
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from tests.factories import (
    make_annotator,
    make_batch,
    make_collection,
    make_documents,
    make_gold,
    make_items,
    make_judgment,
    make_member,
    make_run,
    make_topic,
    make_user,
)
from tests.unchanged.crawl import Crawl, filled

pytestmark = pytest.mark.django_db

NOUNS = (
    "annotators|answers|batches|cards|cases|characters|checks|days|decisions|documents|errors|files|golds|grades|hours|"
    "imports|invitations|items|judgments|lines|members|minutes|months|objections|pairs|participants|people|policies|"
    "pools|problems|queries|repeats|rows|runs|seconds|sessions|slots|snapshots|times|topics|tries|values|weeks"
)
# Not the last tick of an axis before the name of the axis: "1 pairs upwards, grade to the right".
ONE_OF_MANY = re.compile(rf"(?<![\w.,:/−-])1 (?:gold |open |ordinary )?(?:{NOUNS})\b(?! upwards,)")
HALF_DAY = re.compile(r"\b\d\d?:\d\d ?[ap]\.?m\b", re.IGNORECASE)
SAYS_NO_MORE = re.compile(r"^/api/v1/|[?&]sort=")  # no page, or one whose table stands in another order
QRELS_RUN = "1 Q0 d1 1 9.5 only\n"


def make_one_of_each() -> tuple[Collection, Client]:
    admin = make_user("lead", may_create_collections=True)
    collection = make_collection("one", admin=admin)
    make_member(collection, admin, Role.RESEARCHER)
    person = make_annotator(collection, admin, "Only")
    batch = make_batch(collection, [person], n_topics=0, n_documents=0, judgments_per_item=1, n_expected=1)
    topic = make_topic(collection, "1")
    (pair,) = make_items(batch, topic, make_documents(collection, ["d1"]))
    (gold,) = make_items(batch, topic, make_documents(collection, ["d2"]))
    Planting.objects.create(item=gold, purpose=Planting.Purpose.GOLD)
    make_gold(gold, 1)
    for item in (pair, gold):
        make_judgment(item, person, 1, active_ms=1000)
    Batch.objects.create(
        collection=collection, name="draft", pool=Pool.objects.get(), scale=batch.scale,
        state=Batch.State.DRAFT, seed=2, judgments_per_item=1,
    )  # fmt: skip
    make_invitations(collection, role=Role.ANNOTATOR, notes=["one"], actor=admin)
    policy = unsaved_default(collection)
    policy.parameters = {**policy.parameters, "min_gold": 1, "min_judgments": 1}
    snapshot = freeze_snapshot(collection, name="s", batches=[batch], policy=policy, created_by=admin)
    ask_evaluation(snapshot, [make_run(collection, QRELS_RUN)], averaging="complete", measures=[], created_by=admin)
    while job := claim_job():
        run_job(job)
    client = Client()
    client.force_login(admin)
    return collection, client


def test_one_is_one_on_every_page_and_clocks_have_24_hours() -> None:
    collection, client = make_one_of_each()
    crawl = Crawl(client, SAYS_NO_MORE)
    pages = list(crawl.pages([f"/{collection.slug}/", "/"]))
    pages += list(crawl.pages(filled([page.address for page in pages if page.response.status_code == 200])))
    texts = {
        page.address: " ".join(strip_tags(page.body.decode()).split())
        for page in pages
        if page.response.get("Content-Type", "").startswith("text/html")
    }
    assert len(texts) > 40
    faults = {
        (text[max(0, m.start() - 30) : m.end() + 15], at)
        for at, text in texts.items()
        for m in ONE_OF_MANY.finditer(text)
    }
    assert dict(sorted(faults)) == {}
    assert [(at, m[0]) for at, text in texts.items() for m in HALF_DAY.finditer(text)] == []
