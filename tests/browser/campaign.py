"""One collection with a bit of everything, and what stands in the address of every page that shows it."""

import io
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from annotation.exchange.steps.bundles import start_arrival
from annotation.exchange.steps.importing import upload_here
from annotation.judging.steps.own_results import raise_appeal
from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import (
    Annotator,
    Appeal,
    Batch,
    Collection,
    DocumentVersion,
    Feedback,
    Import,
    Job,
    Judgment,
    Planting,
    Pool,
    Recipient,
    Role,
    Snapshot,
    User,
    WorkSession,
)
from annotation.outgoing.steps.messages import write_test
from annotation.people.steps.accounts import make_password_link, make_sign_in_link
from annotation.people.steps.information import revise_information
from annotation.people.steps.invitations import make_invitations
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.models import (
    Accounting,
    Evaluation,
    ModelComparison,
    PoolingReplay,
    Report,
    SensitivityStudy,
)
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.annotation.qualified import make_round
from tests.annotation.worked_campaign import Worked, make_worked
from tests.browser.research import (
    LONG_DOCNO,
    LONG_EXPERIMENT,
    LONG_MODEL,
    LONG_TAG,
    Values,
    analyse_experiment,
    begin_growing,
    describe_beyond,
    describe_vectors,
    evaluate,
    watch_figures,
)
from tests.evaluation.clicks.made import HEAD, bring_clicks
from tests.factories import (
    make_annotator,
    make_collection,
    make_document,
    make_gold,
    make_judgment,
    make_member,
    make_participation,
    make_topic,
    make_user,
)
from tests.live import sign_in

CLICK_LOG = "Clicks of March, all markets, without robots and without the office"
CLICKS = HEAD + "".join(
    f"1,d{d},{k},{40 // k // d},60\n2,d{d + 3},{k},{30 // k // d},60\n" for d in (1, 2) for k in (1, 2, 3)
)


@dataclass(frozen=True)
class Campaign:
    """The admin's session, and values of address parameters: of all pages, and of single ones where theirs differ."""

    session: str
    usual: Values
    special: dict[str, Values]

    def values(self, page: str, parameters: frozenset[str]) -> Values:
        known = self.usual | self.special.get(page, {})
        assert parameters <= known.keys(), f"{page}: say in campaign.py what {parameters - known.keys()} stands for"
        return {name: known[name] for name in parameters}


def make_campaign(slug: str = "birds") -> Campaign:
    admin = make_user(f"admin-of-the-{slug}", may_create_collections=True)
    collection = make_collection(slug, admin=admin)
    collection.name = "Birds of the city and of the open sea, second campaign"
    collection.save()
    _add_people_and_texts(collection)
    batch, snapshot = _judge_and_freeze(collection, admin)
    evaluate(snapshot, admin)
    describe_vectors(snapshot, admin)
    bring_clicks(snapshot, CLICKS, name=_click_log(collection))
    usual: Values = {
        "slug": collection.slug,
        "token": batch.token,
        "number": "7",
        "docno": LONG_DOCNO,
        "tag": LONG_TAG,
        "side": "documents",
        "model": LONG_MODEL,
        "experiment": LONG_EXPERIMENT,
        "username": researcher_of(collection),
        "kind": "topics",
        "form": "csv",
        "table": "topics",
        "pk": snapshot.pk,
        "pseudonym": "Amber",
        "item": "any",
        "prefix": "any",
    }
    special = _special(collection, batch, snapshot, admin)
    for message in Job.objects.filter(collection=collection, kind="deliver_message", state=Job.State.QUEUED):
        ask_cancel(message)
    return Campaign(sign_in(admin), usual, special)


def _click_log(collection: Collection) -> str:
    """Another in each collection, as one that is told by its name must be."""
    return f"{CLICK_LOG}, {collection.slug}"


def researcher_of(collection: Collection) -> str:
    return f"researcher-of-the-{collection.slug}"


def _add_people_and_texts(collection: Collection) -> None:
    make_member(collection, make_user(researcher_of(collection)), Role.RESEARCHER)
    make_topic(
        collection,
        "7",
        title="Which birds sleep while they fly, and how do we know that they do",
        description="What is known about the sleep of swifts?",
        narrative="Relevant is what tells how, where or how long birds sleep in flight. " * 4,
    )
    make_document(
        collection, LONG_DOCNO, title="Swifts and other birds of the air", text="Swifts sleep on the wing. " * 200
    )


def _judge_and_freeze(collection: Collection, admin: User) -> tuple[Batch, Snapshot]:
    """The worked example, with the admin among its annotators and one person excluded."""
    worked = make_worked(collection)
    elder = make_annotator(collection, admin, "Elder")
    make_participation(worked.batch, elder, salt=5)
    _tell(worked, elder)
    exclude_annotator(worked.people["Cedar"], reason="Graded everything within two seconds.", actor=admin)
    policy = unsaved_default(collection)
    frozen = freeze_snapshot(collection, name="first-round", batches=[worked.batch], policy=policy, created_by=admin)
    _miss_gold(worked)
    return worked.batch, frozen


def _miss_gold(worked: Worked) -> None:
    """A gold pair that everybody misses in the same way."""
    make_gold(worked.add_item("G-missed-by-all", number="g", planted=Planting.Purpose.GOLD), 0)
    for name in worked.people:
        worked.judge("G-missed-by-all", name, 4)


def _tell(worked: Worked, person: Annotator) -> None:
    """The person has judged for some days, and been told of three pairs."""
    assert person.user
    now = timezone.now()
    feedback = {"G00": (1, "It names the bird, and nothing of its sleep."), "G01": (2, ""), "G02": (4, "Both. " * 60)}
    for days, (docno, (grade, explanation)) in enumerate(feedback.items()):
        item = worked.items[docno]
        DocumentVersion.objects.filter(document=item.document_id).update(title=f"Of swifts, {LONG_DOCNO}")
        at = now - timedelta(days=days + 1)
        judgment = make_judgment(item, person, grade, comment="In part", created_at=at, active_ms=2_400_000)
        Feedback.objects.create(
            batch=worked.batch, annotator=person, assignment=judgment.assignment, grade=1, accepted=[1],
            explanation=explanation, created_at=now,
        )  # fmt: skip
    WorkSession.objects.create(
        user=person.user, started_at=now - timedelta(hours=3), last_active_at=now - timedelta(hours=2),
        ended_at=now - timedelta(hours=2), break_until=now - timedelta(minutes=110), n_judged=3,
    )  # fmt: skip


def _guidance(collection: Collection, admin: User) -> dict[str, Values]:
    """A text to agree to, and a round of training that is still a draft."""
    revise_information(
        collection, text="# What is kept\n\nYour grades, **under a pseudonym**.", based_on=0, actor=admin
    )
    training = make_round(collection, is_open=False)
    pair: Values = {"token": training.token, "item": training.items.earliest("pk").token}
    pages = ("edit", "delete", "step", "gold", "pair", "pair_new", "pair_move", "pair_remove")
    return {
        "information_version": {"number": 1},
        "information_edit": {"number": 1},
        "qualification": pair,
        **{f"qualification_{page}": pair for page in pages},
    }


def _special(collection: Collection, batch: Batch, snapshot: Snapshot, admin: User) -> dict[str, Values]:
    ready = _import(collection, b"8\tDo swifts sleep\n9\tNests\n", "topics.tsv", admin)
    refused = _import(collection, b"8\tDo swifts sleep\n8\tAgain\nno tab here\n", "wrong.tsv", admin)
    arrival = _arrival(admin)
    draft = _draft(collection, batch)
    judgments = Judgment.objects.filter(assignment__feedback__isnull=False, collection=collection)
    of_policies = Accounting.objects.filter(snapshot=None, collection=collection)
    invitations = make_invitations(collection, role=Role.ANNOTATOR, notes=["Room 4", "by mail"], actor=admin)
    clicks: Values = {"name": _click_log(collection)}
    return {
        **_guidance(collection, admin),
        **analyse_experiment(collection, admin),
        "guideline_version": {"number": 1},
        "invitation": {"secret": invitations[0][1]},
        "password_link": {"secret": make_password_link(admin, actor=None, collection=None)},
        "sign_in_link": {"secret": make_sign_in_link(admin)},
        "import_detail": {"pk": ready.pk},
        "import_problems": {"pk": refused.pk},
        "arrival": {"token": arrival.token},
        "arrival_problems": {"token": arrival.token},
        "pool": {"pk": pool_of(batch).pk},
        **begin_growing(collection),
        **_outgoing(collection),
        **describe_beyond(collection, admin),
        **watch_figures(collection, admin),
        "batch_edit": {"token": draft.token},
        "batch_dry_run": {"token": draft.token},
        "evaluation_topic": {"pk": Evaluation.objects.filter(snapshot=snapshot).earliest("pk").pk, "number": "1"},
        "leaderboard_compare_topic": {"number": "1"},
        "evaluation_unjudged": {"pk": Evaluation.objects.filter(snapshot=snapshot).earliest("pk").pk},
        "evaluation": {"pk": Evaluation.objects.filter(snapshot=snapshot).earliest("pk").pk},
        "accounting_file": {"pk": Accounting.objects.filter(snapshot=snapshot).earliest("pk").pk},
        **{
            name: {"pk": SensitivityStudy.objects.get(snapshot=snapshot).pk}
            for name in ("sensitivity_study", "sensitivity_file")
        },
        **{
            name: {"pk": PoolingReplay.objects.get(snapshot=snapshot).pk}
            for name in ("pooling_replay", "pooling_replay_file")
        },
        **{
            name: {"pk": ModelComparison.objects.get(collection=collection).pk}
            for name in ("vectors_comparison", "vectors_comparison_file", "model_comparison")
        },
        **dict.fromkeys(("click_comparison", "click_comparison_delete"), clicks),
        "report": {"pk": Report.objects.filter(snapshot=snapshot).earliest("pk").pk},
        "report_file": {"pk": Report.objects.filter(snapshot=snapshot).earliest("pk").pk},
        "accounting_compared": {"pk": of_policies.earliest("pk").pk},
        "own_result": {"result": judgments.earliest("pk").token},
        "job": {"token": Job.objects.filter(collection=collection).latest("pk").token},
        "annotator_reinstate": {"pseudonym": "Cedar"},
        "gold_appeal": {"token": _objection(batch).token},
        "own_object": {"result": judgments.earliest("pk").token},
    }


def _outgoing(collection: Collection) -> dict[str, Values]:
    """A recipient of messages, and one that failed."""
    address = f"https://hooks.example.org/{collection.slug}"
    recipient = Recipient.objects.create(collection=collection, kind="webhook", address=address)
    write_test(recipient)
    recipient.deliveries.update(state="failed", n_tries=7, next_try=None, answer="Answered 500.")
    return {f"recipient_{deed}": {"token": recipient.token} for deed in ("end", "test")}


def _objection(batch: Batch) -> Appeal:
    """The person who was told of three pairs objects to the one on which they were far off."""
    feedback = Feedback.objects.get(batch=batch, assignment__judgments__grade=4)
    return raise_appeal(feedback, reason="It names the bird and its sleep, in the very first line. " * 6)


def _import(collection: Collection, text: bytes, filename: str, admin: User) -> Import:
    return upload_here(
        collection,
        kind=Import.Kind.TOPICS,
        stream=io.BytesIO(text),
        filename=filename,
        created_by=admin,
        watch=lambda done, total, message: None,
    )


def _arrival(admin: User) -> Job:
    """A BEIR folder that waits to be published."""
    job = start_arrival(io.BytesIO(zipped(FILES)), filename="beir.zip", slug="beir", created_by=admin)
    run = claim_job()
    assert run is not None
    run_job(run)
    return job


def pool_of(batch: Batch) -> Pool:
    assert batch.pool is not None
    return batch.pool


def _draft(collection: Collection, batch: Batch) -> Batch:
    pool = pool_of(batch)
    return Batch.objects.create(
        collection=collection, name="Second round", pool=pool, scale=batch.scale, state=Batch.State.DRAFT, seed=2
    )
