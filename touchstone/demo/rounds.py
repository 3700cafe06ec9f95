"""The batches of the demo: one judged to the end, frozen and evaluated; one under way. And how any of them is made."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.utils import timezone

from annotation.batches.steps.batches import BatchSettings, close_batch, create_batch, open_batch
from annotation.batches.steps.layout import lay_out
from annotation.models import Annotator, Batch, Collection, Pool, Snapshot, Topic, User
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.engine.adaptive.methods import METHODS
from evaluation.engine.comparison import Design
from evaluation.formats.report.question import Kind
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Run
from evaluation.pooling.read import Growth
from evaluation.pooling.steps.growing import start_growing
from evaluation.pooling.steps.replaying import ReplayAsked, ask_replay
from evaluation.reports.steps import ask_report
from evaluation.runs.steps.pooling import create_pool_from_runs
from evaluation.sensitivity.steps import ask_sensitivity
from touchstone.demo.annotators import Behaviour
from touchstone.demo.content import demo_topics, demo_truth
from touchstone.demo.guidance import make_round, prepare, write_information
from touchstone.demo.simulation import simulate

SEED = 20
DEPTH = 10
REPLAYED = 10  # draws of each way to choose judgments
DEEPER, PORTION = 20, 24  # of the pool that grows, and pairs at a time
FIRST_ROUND = 8  # topics judged to the end; the others are under way
CARDS, CARDS_UNDER_WAY = 85, 12  # at most so many a person; 85 leave enough gold for the slowest, too
NEWCOMER = "brisk"  # joins in the second round: too little gold yet to be believed


def judge_rounds(
    collection: Collection, people: list[Annotator], simulated: dict[Annotator, Behaviour], admin: User
) -> None:
    """The first two rounds; chance goes on from the one to the other."""
    now, rng = timezone.now(), np.random.default_rng(SEED)
    regulars = {person: behaviour for person, behaviour in simulated.items() if behaviour.name != NEWCOMER}
    _first(collection, regulars, admin, start=now - timedelta(days=3), rng=rng)
    _second(collection, people, simulated, admin, now=now, rng=rng)


def _first(
    collection: Collection,
    regulars: dict[Annotator, Behaviour],
    admin: User,
    *,
    start: datetime,
    rng: np.random.Generator,
) -> None:
    """Judged to the end, frozen, evaluated, and put to the test."""
    numbers = round_topics()[:FIRST_ROUND]
    batch = make_batch(collection, "Round one", numbers=numbers, annotators=list(regulars), admin=admin)
    simulate(batch, regulars, demo_truth(), start=start, cards=dict.fromkeys(regulars, CARDS), rng=rng)
    close_batch(batch, actor=admin)
    policy = unsaved_default(collection)
    snapshot = freeze_snapshot(collection, name="round-one", batches=[batch], policy=policy, created_by=admin)
    runs = list(Run.objects.filter(collection=collection))
    ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=admin)
    ask_sensitivity(
        snapshot,
        runs,
        measure="nDCG@10",
        groups={},
        pool_depth=DEPTH,
        judgments_anew="annotators",
        seed=SEED,
        created_by=admin,
    )
    _replay(snapshot, runs, admin)
    _report(snapshot, runs, admin)
    _grow(collection, runs, admin)


def _replay(snapshot: Snapshot, runs: list[Run], admin: User) -> None:
    """What each way to choose judgments would have made of the round."""
    asked = ReplayAsked(
        methods=list(METHODS),
        measure="nDCG@10",
        depth=DEPTH,
        rel=1,
        n_seeds=REPLAYED,
        unlisted="skip",
        leave_out=False,
    )
    ask_replay(snapshot, runs, asked, created_by=admin)


def _report(snapshot: Snapshot, runs: list[Run], admin: User) -> None:
    """An evaluation, and a comparison of all runs."""
    kinds: tuple[Kind, ...] = ("comparison", "evaluation")
    for kind in kinds:
        ask_report(
            snapshot,
            runs,
            kind=kind,
            title="",
            measures=[],
            averaging="complete",
            design=Design(test="tukey"),
            seed=0,
            created_by=admin,
        )


def _grow(collection: Collection, runs: list[Run], admin: User) -> None:
    """The first portion of a pool that goes on once it is judged; whoever likes makes a batch of it."""
    growth = Growth(
        series="Deeper",
        n=1,
        method="max-mean",
        runs=tuple(run.tag for run in runs),
        depth=DEEPER,
        portion=PORTION,
        rel=1,
        seed=SEED,
        topics=tuple(round_topics()[:FIRST_ROUND]),
        renew=True,
    )
    start_growing(collection, growth, created_by=admin)


def _second(
    collection: Collection,
    people: list[Annotator],
    simulated: dict[Annotator, Behaviour],
    admin: User,
    *,
    now: datetime,
    rng: np.random.Generator,
) -> None:
    """Under way, with all that may come before the first card."""
    batch = make_batch(
        collection,
        "Round two",
        numbers=round_topics()[FIRST_ROUND:],
        annotators=[*people, *simulated],
        admin=admin,
        information=write_information(collection, actor=admin),
        qualification=make_round(collection, actor=admin),
        feedback=Batch.Feedback.CLOSED,
    )
    prepare(batch, people, simulated, actor=admin, rng=np.random.default_rng(SEED), moment=now - timedelta(hours=3))
    cards = dict.fromkeys(simulated, CARDS_UNDER_WAY)
    simulate(batch, simulated, demo_truth(), start=now - timedelta(hours=2), cards=cards, rng=rng)


def round_topics() -> list[str]:
    return sorted(topic.number for topic in demo_topics())


def make_batch(
    collection: Collection,
    name: str,
    *,
    numbers: list[str],
    annotators: list[Annotator],
    admin: User,
    depth: int = DEPTH,
    judgments_per_item: int = 4,
    gold_share: float = 0.15,
    **settings: Any,
) -> Batch:
    """Drafted from the tops of the runs, laid out and opened. `settings`: more of `BatchSettings`."""
    runs = list(Run.objects.filter(collection=collection))
    pool: Pool = create_pool_from_runs(
        collection, name=f"{name}, depth {depth}", runs=runs, depth=depth, numbers=numbers, created_by=admin
    )
    chosen = BatchSettings(
        name=name,
        pool=pool,
        judgments_per_item=judgments_per_item,
        gold_share=gold_share,
        minimum_seconds=3,
        seed=SEED,
        **settings,
    )
    topics = Topic.objects.filter(collection=collection, number__in=numbers)
    batch = create_batch(collection, settings=chosen, topics=topics, annotators=annotators, actor=admin)
    lay_out(batch, actor=admin)
    batch.refresh_from_db()
    open_batch(batch, actor=admin)
    return Batch.objects.get(pk=batch.pk)
