"""A collection with something in every state that an operation wants, and the ids of it all."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotation.batches.steps.batches import open_batch, pause_batch
from annotation.batches.steps.layout import lay_out
from annotation.exchange.steps.bundles import start_export
from annotation.home.steps.saved_views import keep_view
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import (
    Annotator,
    ApiToken,
    Batch,
    Collection,
    GuidelineVersion,
    Import,
    InformationVersion,
    Item,
    Judgment,
    Notice,
    Pool,
    Role,
    Snapshot,
    Topic,
    User,
)
from annotation.people.steps.invitations import make_invitations
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.pausing import pause_annotator
from annotation.trust.steps.policies import store_policy
from evaluation.models import SampledTopic
from tests.annotation.batches.steps.test_replacements import judge_all
from tests.annotation.callers import caller, send
from tests.annotation.campaign import Campaign as Small
from tests.annotation.campaign import make_campaign as make_small
from tests.annotation.qualified import make_round
from tests.browser.campaign import Campaign, make_campaign
from tests.browser.research import LONG_MODEL, SMALL_MODELS, Values
from tests.evaluation.ab_tests.made import make_experiment
from tests.factories import (
    make_annotator,
    make_annotators,
    make_batch,
    make_collection,
    make_document,
    make_member,
    make_run,
    make_snapshot,
    make_topic,
    make_user,
    make_vectors,
)

OWN_VERSION = {"birds": 8, "fish": 9}  # a version of guideline and information that the other collection has not
NATURAL = ("docno", "tag", "username", "pseudonym", "model", "experiment")  # what names things within a collection

JUDGING = "/api/v1/judging/"
JUDGED = (
    "next", "grade", "skip", "later", "undo", "keep", "heartbeat", "release", "recent", "document", "guideline",
    "terms", "acknowledge",
)  # fmt: skip


@dataclass(frozen=True)
class World:
    """`values`: what stands in addresses, of all operations and of single ones. `ids`: what stands in bodies and
    queries, under the kind of thing it names (`docno`, or `docno:gold` for one with gold). `only`: what of each kind
    no other collection has. `own`: by person, what is theirs alone."""

    slug: str
    campaign: Campaign
    people: dict[str, User]
    values: dict[str, Values]
    ids: Values
    only: Values
    own: dict[str, Values]

    def address(self, method: str, name: str) -> Values:
        """Values of address parameters, by their names in the routes."""
        known = self.campaign.usual | self.names | self.campaign.special.get(name, {})
        return known | self.values.get(name, self.values.get(f"{method} {name}", {}))

    @property
    def names(self) -> Values:
        """Of things that no other collection has."""
        return {name: self.only[name] for name in NATURAL}

    def words(self, who: str) -> Values:
        return self.ids | self.own["lead"] | self.own.get(who, {})


def make_world(slug: str) -> World:
    campaign = make_campaign(slug)
    collection = Collection.objects.get(slug=slug)
    _mark_sampled(collection)
    people = _people(collection)
    only = _only_here(collection)
    empty = _empty(collection, people)
    small = make_small(collection, n_topics=1, n_pairs=4, n_gold=2, n_people=1)
    batches = _batches(small, people)
    own = {who: _own(people[who], batches) for who in ("annotator", "lead")}
    for who, blind, decided in (("admin", "d1", "d2"), ("lead", "d4", "d5")):
        own[who] = own.get(who, {}) | _decided(collection, people[who], blind, decided)
    untouched: Values = {"slug": empty.slug}
    values = _values(collection, campaign, batches, only) | {"collection_delete": untouched, "PUT scale": untouched}
    return World(slug, campaign, people, values, _ids(collection, empty, small, batches), only, own)


def _mark_sampled(collection: Collection) -> None:
    """All topics as drawn from a log, of which they are a half."""
    log = Import.objects.create(
        collection=collection,
        kind=Import.Kind.QUERIES,
        state=Import.State.PUBLISHED,
        published_at=timezone.now(),
        filename="log.tsv",
    )
    shared = {"collection": collection, "brought_by": log, "stratum": "all", "count": 3, "probability": 0.5}
    topics = Topic.objects.filter(collection=collection)
    SampledTopic.objects.bulk_create(SampledTopic(topic=topic, **shared) for topic in topics)


def _people(collection: Collection) -> dict[str, User]:
    """The lead judges, too, and has brought what was brought."""
    amber = Annotator.objects.get(collection=collection, pseudonym="Amber").user
    assert amber is not None
    return {
        "annotator": amber,
        "researcher": User.objects.get(username=f"researcher-of-the-{collection.slug}"),
        "admin": make_member(collection, make_user(f"second-admin-of-the-{collection.slug}"), Role.ADMIN),
        "lead": User.objects.get(username=f"admin-of-the-{collection.slug}"),
    }


def _empty(collection: Collection, people: dict[str, User]) -> Collection:
    """Where nobody has worked, of the same people."""
    empty = make_collection(f"{collection.slug}-empty", admin=people["lead"])
    for who in ("annotator", "researcher", "admin"):
        make_member(empty, people[who], Role(who))
    return empty


def _only_here(collection: Collection) -> Values:
    slug, version = collection.slug, OWN_VERSION[collection.slug]
    GuidelineVersion.objects.create(collection=collection, number=version, sha256="1" * 64, introduction="Judge.")
    InformationVersion.objects.create(collection=collection, number=version, sha256="1" * 64, text="What is kept.")
    policy = store_policy(collection, name=f"{slug}-policy", parameters=Parameters(), actor=None)
    pool = Pool.objects.create(collection=collection, name=f"{slug}-pool", n_pairs=0)
    snapshot = make_snapshot(collection, "1 0 d1 1\n1 0 d2 0\n", name=f"{slug}-snapshot")
    batch = make_batch(collection, [], n_topics=0, n_documents=0, name=f"{slug}-batch")
    training = make_round(collection, prefix=f"{slug}-", name=f"{slug}-round")
    model = f"{slug}-model"
    for side, ids in (("queries", ["1"]), ("documents", [f"{slug}-{n}" for n in range(12)])):
        make_vectors(collection, side, ids, model=model)
    return {
        "number": make_topic(collection, f"{slug}-topic").number,
        "docno": make_document(collection, f"{slug}-document").docno,
        "tag": make_run(collection, f"1 Q0 d1 1 9.5 {slug}-run\n").tag,
        "pseudonym": make_annotator(collection, pseudonym=f"{slug}-annotator").pseudonym,
        "model": model,
        "experiment": make_experiment(collection, f"{slug}-experiment").name,
        "username": f"researcher-of-the-{slug}",
        "policy": str(policy),
        "version": version,
        "pool": pool.name,
        "pool_id": pool.pk,
        "snapshot": snapshot.name,
        "snapshot_id": snapshot.pk,
        "batch": batch.token,
        "qualification": training.name,
        "round": training.token,
    }


def _batches(small: Small, people: dict[str, User]) -> dict[str, Batch]:
    """One in each state; in those that are open the annotator and the lead judge."""
    collection = small.collection
    judges = list(Annotator.objects.filter(collection=collection, user__in=[people["annotator"], people["lead"]]))
    information = InformationVersion.objects.filter(collection=collection).earliest("number")
    training = make_round(collection, prefix="open-", name="Training")
    gates: dict[str, dict[str, Any]] = {"gated": {"information": information}, "training": {"qualification": training}}
    policy = store_policy(collection, name="steers", parameters=Parameters(consolidation="dawid_skene"), actor=None)
    steering = {"steered_by": policy, "most_judgments": 2, "target_probability": 0.9}
    gates["steered"] = {"judgments_per_item": 1, **steering}
    batches = {
        name: small.draft(
            name=name,
            annotators=judges,
            minimum_seconds=0,
            block_size=15,
            **{"judgments_per_item": 2, **gates.get(name, {})},
        )
        for name in ("draft", "laid out", "open", "paused", "gated", "training", "steered")
    }
    for name, batch in batches.items():
        if name != "draft":
            lay_out(batch, actor=None)
        if name not in ("draft", "laid out"):
            batch.refresh_from_db()
            open_batch(batch, actor=None)
        batch.refresh_from_db()
    pause_batch(batches["paused"], actor=None)
    return {**batches, "short of judgments": _short_of_judgments(collection)}


def _short_of_judgments(collection: Collection) -> Batch:
    """Judged by somebody who is excluded since."""
    excluded, other = make_annotators(collection, ["Excluded", "Other"])
    batch = make_batch(collection, [excluded, other], judgments_per_item=1)
    judge_all(batch.participations.get(annotator=excluded))
    exclude_annotator(excluded, reason="Looked away", actor=None)
    return batch


def _own(person: User, batches: dict[str, Batch]) -> Values:
    """A card before the person and one behind them; a round that they have begun."""
    client = caller(person)
    desk = f"{JUDGING}{batches['open'].token}/"
    judged = send(client, "post", f"{desk}next").json()["cards"][0]["token"]
    card = send(client, "post", f"{desk}grade", {"token": judged, "grade": 1}).json()["cards"][0]["token"]
    round_of = f"{JUDGING}{batches['training'].token}/qualification"
    pair = send(client, "post", f"{round_of}/begin").json()["pair"]["item"]
    send(client, "post", f"{round_of}/pairs/{pair}", {"grade": 0})
    return {"card": card, "judged": judged}


def _decided(collection: Collection, person: User, blind: str, decided: str) -> Values:
    """A pair that the person has graded blind, and one that they have decided."""
    client, at = caller(person), f"/api/v1/collections/{collection.slug}/contested/pair/"
    for docno in (blind, decided):
        send(client, "post", f"{at}blind", {"number": "1", "docno": docno, "grade": 1})
    send(client, "post", f"{at}decide", {"number": "1", "docno": decided, "grade": 1, "reason": "Read", "based_on": 0})
    return {"docno:blind": blind, "docno:decided": decided}


def _values(collection: Collection, campaign: Campaign, batches: dict[str, Batch], only: Values) -> dict[str, Values]:
    """Where what an operation wants is something else than a page shows."""
    special, here = campaign.special, Annotator.objects.filter(collection=collection)
    lead = User.objects.get(username=f"admin-of-the-{collection.slug}")
    token: dict[str, Values] = {name: {"token": batch.token} for name, batch in batches.items()}
    a_round: Values = {"token": only["round"]}
    version: Values = {"number": only["version"]}
    withheld = Item.objects.filter(batch=batches["open"]).latest("pk")
    Item.objects.filter(pk=withheld.pk).update(withheld=True)
    pause_annotator(here.get(pseudonym="A-1"), reason="Away", actor=None)
    invitation, _ = make_invitations(collection, role=Role.ANNOTATOR, notes=["Hall"], actor=lead)[0]
    result = Judgment.objects.get(assignment__feedback__isnull=False, grade=2, collection=collection)
    return {
        **dict.fromkeys(("arrival_discard", "arrival_publish"), special["arrival"]),
        "accounting": special["accounting_compared"],
        "evaluation_pool": special["evaluation"],
        "ab_test_analysis": special["ab_test_file"],
        **dict.fromkeys(("pooling_portion", "pooling_sample"), special["pooling_portion"]),
        "annotator_kind": {"pseudonym": here.create(collection=collection, pseudonym="Machine").pseudonym},
        "annotator_resume": {"pseudonym": "A-1"},
        **dict.fromkeys(
            ("PATCH batch", "DELETE batch", "batch_lay_out", "batch_dry_run", "batch_assign", "batch_unassign"),
            token["draft"],
        ),
        "batch_open": token["laid out"],
        **{f"batch_{deed}": token["open"] for deed in ("pause", "close", "feedback")},
        "batch_release": {**token["open"], "item": withheld.token},
        "batch_reopen": token["paused"],
        "batch_overlap": token["steered"],
        **{f"batch_{deed}": token["short of judgments"] for deed in ("replace", "withdraw")},
        "bundle": _packed_bundle(collection, lead),
        "topic": {"number": only["number"]},
        "guideline_version": version,
        **dict.fromkeys(("information_version", "information_revise"), version),
        **{f"import{deed}": special["import_detail"] for deed in ("", "_check", "_publish", "_cancel")},
        "invitation_withdraw": {"number": invitation.pk},
        "objection": special["gold_appeal"],
        "DELETE pool": {"pk": only["pool_id"]},
        "DELETE snapshot": {"pk": only["snapshot_id"]},
        "snapshot_changed": {"pk": only["snapshot_id"]},
        **{f"qualification_{deed}": special["qualification"] for deed in ("open", "pairs", "gold")},
        **dict.fromkeys(("qualification_close", "qualification_redraft"), a_round),
        "PATCH qualification_pair": special["qualification"],
        "DELETE qualification_pair": special["qualification"],
        **{f"judge_{deed}": token["open"] for deed in JUDGED},
        **{f"judge_{deed}": token["gated"] for deed in ("consent", "decline", "information")},
        **{f"judge_qualify{deed}": token["training"] for deed in ("", "_begin")},
        "GET judge_qualify_pair": _pair(batches["training"], 0),
        "POST judge_qualify_pair": _pair(batches["training"], 1),
        "saved_view": {"pk": keep_view(collection, lead, page="runs", name="Largest", query="sort=-rows").pk},
        **{
            name: {"token": Notice.objects.filter(user=lead).earliest("pk").token}
            for name in ("inbox_read", "inbox_read_all")
        },
        "own_token_revoke": {"prefix": ApiToken.objects.filter(user=lead).earliest("pk").prefix},
        "own_object": {"result": result.token},
    }


def _packed_bundle(collection: Collection, lead: User) -> Values:
    packed = start_export(collection, created_by=lead)
    while job := claim_job():
        run_job(job)
    return {"token": packed.token}


def waiting_job(world: World) -> Values:
    """Queue one; whoever makes another world after it does it."""
    collection = Collection.objects.get(slug=world.slug)
    return {"token": start_export(collection, created_by=world.people["lead"]).token}


def _pair(batch: Batch, place: int) -> Values:
    assert batch.qualification is not None
    return {"token": batch.token, "item": batch.qualification.items.order_by("position")[place].token}


def _ids(collection: Collection, empty: Collection, small: Small, batches: dict[str, Batch]) -> Values:
    snapshot = Snapshot.objects.get(collection=collection, name="first-round")
    guideline = collection.guideline
    assert guideline is not None
    return {
        "number": "1",
        "docno": "d3",
        "number:gold": "g",
        "docno:gold": "G05",
        "number:small": small.topics[0].number,
        "docno:small": small.documents[0][0].docno,
        "pseudonym": small.annotators[0].pseudonym,
        "pseudonym:assigned": "Amber",
        "name": empty.name,
        "tag": "dense",
        "model": LONG_MODEL,
        "model:small": SMALL_MODELS[0],
        "tag:baseline": "sparse",
        "policy": "default v1",
        "pool": small.pool.name,
        "batch": snapshot.batches.get().token,
        "snapshot": snapshot.name,
        "snapshot_id": Snapshot.objects.get(collection=collection, name=f"{collection.slug}-snapshot").pk,
        "qualification": "Training",
        "version": 1,
        "guideline": guideline.number,
    }
