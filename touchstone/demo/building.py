"""The demo collection, from nothing to a leaderboard, by the same steps that people take on the pages."""

import io
from datetime import timedelta

import numpy as np
from django.db import transaction
from django.utils import timezone

from annotation.models import (
    Annotator,
    Batch,
    Collection,
    Import,
    InformationVersion,
    Pool,
    Qualification,
    Topic,
    User,
)
from annotation.queries.policies import unsaved_default
from annotation.workflow.batches import BatchSettings, close_batch, create_batch, open_batch
from annotation.workflow.collections import create_collection
from annotation.workflow.gold import take_gold_from_file
from annotation.workflow.importing import publish_here, upload_here
from annotation.workflow.layout import lay_out
from annotation.workflow.snapshots import freeze_snapshot
from evaluation.models import Run
from evaluation.workflow.evaluating import ask_evaluation
from evaluation.workflow.pooling import create_pool_from_runs
from touchstone.demo.annotators import Behaviour
from touchstone.demo.content import (
    CONTENT,
    DOCUMENTS,
    TOPICS,
    TrueGrade,
    demo_documents,
    demo_grades,
    demo_scale,
    demo_topics,
)
from touchstone.demo.guidance import make_round, prepare, write_guideline, write_information
from touchstone.demo.people import ADMIN, create_visitors, enrol_simulated, enrol_visitors
from touchstone.demo.rankers import make_runs
from touchstone.demo.simulation import simulate

SLUG = "almanac"
SEED = 20
DEPTH = 10
LEFT_OUT = "fused"  # made from the others: not a system of its own
FIRST_ROUND = 8  # topics judged to the end; the others are under way
GOLD_PER_GRADE = 1  # pairs of each topic and grade
CARDS, CARDS_UNDER_WAY = 85, 12  # at most so many a person; 85 leave enough gold for the slowest, too
NEWCOMER = "brisk"  # joins in the second round: too little gold yet to be believed
DESCRIPTION = (
    "A made-up household almanac: a dozen questions and some hundred and fifty short pages. The judgments of the "
    "annotators called “simulated-…” were made by a program, with known rates of error, to have something to look at."
)


def ignore_progress(done: int, total: int, message: str) -> None:
    """For steps that report how far they are."""


@transaction.atomic
def build_demo() -> Collection:
    """Everything or nothing: one transaction around all steps."""
    visitors = create_visitors()
    admin = visitors[ADMIN]
    collection = create_collection(
        slug=SLUG,
        name="Household almanac (demo)",
        description=DESCRIPTION,
        language="en",
        grades=demo_scale(),
        actor=admin,
    )
    write_guideline(collection, actor=admin, is_first=True)
    people = enrol_visitors(collection, visitors)
    simulated = enrol_simulated(collection, actor=admin)
    _load(collection, admin)
    _judge(collection, people, simulated, admin)
    return collection


def _load(collection: Collection, admin: User) -> None:
    """Topics, documents, runs and gold."""
    for kind, name in ((Import.Kind.TOPICS, TOPICS), (Import.Kind.DOCUMENTS, DOCUMENTS)):
        with (CONTENT / name).open("rb") as stream:
            record = upload_here(
                collection, kind=kind, stream=stream, filename=name, created_by=admin, watch=ignore_progress
            )
        publish_here(record, actor=admin, watch=ignore_progress)
    for tag, text in make_runs(demo_topics(), demo_documents()).items():
        if tag != LEFT_OUT:
            record = upload_here(
                collection,
                kind=Import.Kind.RUN,
                stream=io.BytesIO(text),
                filename=f"{tag}.run",
                created_by=admin,
                watch=ignore_progress,
            )
            publish_here(record, actor=admin, watch=ignore_progress)
    take_gold_from_file(collection, stream=io.BytesIO(_gold()), filename="gold.tsv", actor=admin, correct=False)


def _gold() -> bytes:
    """A few pairs of each topic and grade, as a gold file; what is said of them is for annotators, too, in the end."""
    taken: dict[tuple[str, int], list[TrueGrade]] = {}
    for row in demo_grades():
        taken.setdefault((row.number, row.grade), []).append(row)
    rng = np.random.default_rng(SEED)
    rows = [rows[at] for rows in taken.values() for at in rng.permutation(len(rows))[:GOLD_PER_GRADE]]
    return "".join(f"{row.number}\t{row.docno}\t{row.grade}\t{row.reason}\t{row.reason}\n" for row in rows).encode()


def _judge(collection: Collection, people: list[Annotator], simulated: dict[Annotator, Behaviour], admin: User) -> None:
    """A first batch judged to the end, frozen and evaluated; a second one under way."""
    numbers = sorted(topic.number for topic in demo_topics())
    truth = {(row.number, row.docno): row.grade for row in demo_grades()}
    runs = list(Run.objects.filter(collection=collection))
    rng = np.random.default_rng(SEED)
    now = timezone.now()

    regulars = {person: behaviour for person, behaviour in simulated.items() if behaviour.name != NEWCOMER}
    first = _batch(
        collection, "Round one", runs=runs, numbers=numbers[:FIRST_ROUND], annotators=list(regulars), admin=admin
    )
    start = now - timedelta(days=3)
    simulate(first, regulars, truth, start=start, cards=dict.fromkeys(regulars, CARDS), rng=rng)
    close_batch(first, actor=admin)
    snapshot = freeze_snapshot(
        collection, name="round-one", batches=[first], policy=unsaved_default(collection), created_by=admin
    )
    ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=admin)

    second = _batch(
        collection,
        "Round two",
        runs=runs,
        numbers=numbers[FIRST_ROUND:],
        annotators=[*people, *simulated],
        admin=admin,
        information=write_information(collection, actor=admin),
        qualification=make_round(collection, actor=admin),
        feedback=Batch.Feedback.CLOSED,
    )
    prepare(second, people, simulated, actor=admin, rng=np.random.default_rng(SEED), moment=now - timedelta(hours=3))
    simulate(
        second,
        simulated,
        truth,
        start=now - timedelta(hours=2),
        cards=dict.fromkeys(simulated, CARDS_UNDER_WAY),
        rng=rng,
    )


def _batch(
    collection: Collection,
    name: str,
    *,
    runs: list[Run],
    numbers: list[str],
    annotators: list[Annotator],
    admin: User,
    information: InformationVersion | None = None,
    qualification: Qualification | None = None,
    feedback: str = Batch.Feedback.NEVER,
) -> Batch:
    pool: Pool = create_pool_from_runs(
        collection, name=f"{name}, depth {DEPTH}", runs=runs, depth=DEPTH, numbers=numbers, created_by=admin
    )
    settings = BatchSettings(
        name=name,
        pool=pool,
        judgments_per_item=4,
        gold_share=0.15,
        minimum_seconds=3,
        seed=SEED,
        information=information,
        qualification=qualification,
        feedback=feedback,
    )
    topics = Topic.objects.filter(collection=collection, number__in=numbers)
    batch = create_batch(collection, settings=settings, topics=topics, annotators=annotators, actor=admin)
    lay_out(batch, actor=admin)
    batch.refresh_from_db()
    open_batch(batch, actor=admin)
    return Batch.objects.get(pk=batch.pk)
