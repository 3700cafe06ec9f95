"""The third batch of the demo: two judgments a pair by another panel, and more only where a policy is in doubt."""

from datetime import timedelta

import numpy as np
from django.utils import timezone

from annotation.batches.steps.overlap import KIND
from annotation.kernel.jobs import work_here
from annotation.models import Annotator, Batch, Collection, Policy, User
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.policies import store_policy
from touchstone.demo.annotators import Behaviour
from touchstone.demo.content import demo_truth
from touchstone.demo.rounds import FIRST_ROUND, SEED, make_batch, round_topics
from touchstone.demo.simulation import simulate

FIRST, MOST, TARGET = 2, 4, 0.85
GOLD_SHARE = 0.4  # large, because the batch is small: more than twenty gold pairs have to be judged twice
DEPTH = 6
LOOKS, CARDS = 7, 10  # cards of each person before a look
UNCLEAR = frozenset({("103", "ALM-0023")})  # the starter of a car


def judge_where_in_doubt(collection: Collection, panel: dict[Annotator, Behaviour], admin: User) -> None:
    """Pairs of the first round once more, by people who have not seen them; now and then the policy looks."""
    batch = _steered(collection, list(panel), admin)
    start, truth, rng = timezone.now() - timedelta(days=1), demo_truth(), np.random.default_rng(SEED + 1)
    for _ in range(LOOKS):
        cards = dict.fromkeys(panel, CARDS)
        start = simulate(batch, panel, truth, start=start, cards=cards, rng=rng, unclear=UNCLEAR)
        work_here(KIND, collection=collection, created_by=None, batch=batch.pk)


def _steered(collection: Collection, annotators: list[Annotator], admin: User) -> Batch:
    return make_batch(
        collection,
        "Round three",
        numbers=round_topics()[:FIRST_ROUND],
        annotators=annotators,
        admin=admin,
        depth=DEPTH,
        judgments_per_item=FIRST,
        gold_share=GOLD_SHARE,
        steered_by=_policy(collection, admin),
        most_judgments=MOST,
        target_probability=TARGET,
    )


def _policy(collection: Collection, admin: User) -> Policy:
    """Everybody counts as far as gold bears them out; a pair is not dropped for being contested."""
    parameters = Parameters(
        accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None, consolidation="dawid_skene"
    )
    return store_policy(collection, name="weighed", parameters=parameters, actor=admin)
