"""Simulated annotators judge a batch: through the same steps as people, at the moments their pace would give."""

import heapq
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.putting_off import skip_item
from annotation.judging.steps.sessions import break_until
from annotation.models import Annotator, Assignment, Batch, Card, Participation
from touchstone.demo.annotators import Behaviour

Truth = Mapping[tuple[str, str], int]  # (topic number, docno) → true grade; a pair that is not here is 0
NOTE = "What is meant by it here?"
_PAIR = ("pk", "topic__number", "document__docno")


@dataclass(order=True)
class _Worker:
    """One simulated person at work; the next to act is the one whose clock is furthest behind."""

    moment: datetime
    number: int
    participation: Participation
    behaviour: Behaviour
    left: int


def simulate(
    batch: Batch,
    behaviours: Mapping[Annotator, Behaviour],
    truth: Truth,
    *,
    start: datetime,
    cards: Mapping[Annotator, int],
    rng: np.random.Generator,
    unclear: AbstractSet[tuple[str, str]] = frozenset(),
) -> datetime:
    """Let each annotator judge up to so many `cards`, from `start` on; the moment of the last judgment.

    Pairs that are `unclear` are skipped by everybody, for that reason.
    """
    pair_of = {pk: (number, docno) for pk, number, docno in batch.items.values_list(*_PAIR)}
    taking_part = {p.annotator: p for p in batch.participations.select_related("batch", "annotator__user")}
    workers = [
        _Worker(start + timedelta(seconds=7 * number), number, taking_part[annotator], behaviour, cards[annotator])
        for number, (annotator, behaviour) in enumerate(behaviours.items())
    ]
    heapq.heapify(workers)
    last = start
    while workers:
        worker = heapq.heappop(workers)
        if worker.left and _judge_one(worker, pair_of, truth, unclear, rng):
            last = max(last, worker.moment)
            worker.left -= 1
            heapq.heappush(workers, worker)
    return last


def _judge_one(
    worker: _Worker,
    pair_of: Mapping[int, tuple[str, str]],
    truth: Truth,
    unclear: AbstractSet[tuple[str, str]],
    rng: np.random.Generator,
) -> bool:
    """Judge the card the person holds, after the break if it is time for one; False when nothing is left."""
    rest = break_until(worker.participation, moment=worker.moment)
    if rest is not None:
        worker.moment = rest + timedelta(seconds=1)
    card = claim_next(worker.participation, moment=worker.moment)
    if card is None:
        return break_until(worker.participation, moment=worker.moment) is not None
    seconds = worker.behaviour.seconds(rng)
    worker.moment += timedelta(seconds=seconds)
    pair = pair_of[card.assignment.item_id]
    if pair in unclear:
        _skip(worker, card)
    else:
        grade = worker.behaviour.grade(truth.get(pair, 0), rng)
        _grade(worker, card, grade, seconds)
    return True


def _grade(worker: _Worker, card: Card, grade: int, seconds: float) -> None:
    record_judgment(
        worker.participation, token=card.token, grade=grade, moment=worker.moment, active_ms=int(seconds * 1000)
    )


def _skip(worker: _Worker, card: Card) -> None:
    reason = Assignment.SkipReason.UNCLEAR
    skip_item(worker.participation, token=card.token, reason=reason, note=NOTE, moment=worker.moment)
