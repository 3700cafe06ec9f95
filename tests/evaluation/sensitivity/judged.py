"""A collection that four people have judged wholly, frozen, with three runs."""

from dataclasses import dataclass

import numpy as np

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Item, Job, Snapshot
from annotation.trust.read.comparison import TRIAL
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.models import Run
from tests.annotation.roles import People, make_people
from tests.factories import make_annotators, make_batch, make_judgments, make_run, make_snapshot

TAGS = ("one", "two", "six")
NAMES = ("Ash", "Birch", "Cedar", "Elm")


@dataclass(frozen=True)
class Judged:
    people: People
    snapshot: Snapshot
    machine: Snapshot
    runs: list[Run]


def make_judged() -> Judged:
    """Five topics of six documents; `first` is frozen, `machine` are other qrels of the same pairs."""
    people, rng = make_people(), np.random.default_rng(3)
    collection = people.collection
    annotators = make_annotators(collection, NAMES)
    batch = make_batch(collection, annotators, n_topics=5, n_documents=6, judgments_per_item=4)
    items = list(Item.objects.filter(batch=batch).select_related("topic", "document").order_by("pk"))
    make_judgments([(item, each, int(rng.integers(0, 5))) for item in items for each in annotators])
    policy = store_policy(collection, name="all", parameters=TRIAL, actor=None)
    snapshot = freeze_snapshot(collection, name="first", batches=[batch], policy=policy, created_by=None)
    lines = [f"{item.topic.number} 0 {item.document.docno} {rng.integers(0, 4)}\n" for item in items]
    return Judged(
        people,
        snapshot,
        make_snapshot(collection, "".join(lines), name="machine"),
        [make_run(collection, _run_text(tag, items, rng)) for tag in TAGS],
    )


def worked() -> Job:
    claimed = claim_job()
    assert claimed is not None
    return run_job(claimed)


def _run_text(tag: str, items: list[Item], rng: np.random.Generator) -> str:
    return "".join(f"{item.topic.number} Q0 {item.document.docno} 1 {rng.random():.6f} {tag}\n" for item in items)
