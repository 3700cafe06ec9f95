"""Accountings that are stored, and what of a snapshot was dropped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotation.kernel.tables import natural_order
from annotation.models import Collection, Snapshot
from annotation.quality.filtering import Reason
from annotation.quality.frozen import outcome_of
from annotation.quality.outcome import Outcome
from annotation.trust.read.dropped import ReasonCount, dropped_by_reason
from annotation.trust.read.snapshots import MOST_READ, inputs_path
from evaluation.formats.accounting import AccountingResult, of_object
from evaluation.models import Accounting, Run


def accountings_of(collection: Collection) -> QuerySet[Accounting]:
    """The newest first."""
    return Accounting.objects.filter(collection=collection).order_by("-made_at", "-pk")


def newest_accounting(snapshot: Snapshot) -> Accounting | None:
    """The accounting of the snapshot that was made last."""
    return accountings_of(snapshot.collection).filter(snapshot=snapshot).first()


def accounted_in(stored: Accounting) -> AccountingResult:
    return of_object(stored.result)


def runs_since(collection: Collection, result: AccountingResult) -> list[Run]:
    """Runs of the collection that are not accounted for."""
    tags = {shares.tag for shares in result.runs}
    return [run for run in Run.objects.filter(collection=collection) if run.tag not in tags]


@dataclass(frozen=True)
class TopicDrop:
    """The pairs of a topic that a policy decided on; `by_reason` in the order of the reasons listed."""

    number: str
    n_pairs: int
    by_reason: list[int]

    @property
    def n_dropped(self) -> int:
        return sum(self.by_reason)

    @property
    def share(self) -> float:
        return self.n_dropped / self.n_pairs


@dataclass(frozen=True)
class Dropped:
    """What a policy dropped and why, attention checks apart: they are no pairs of the qrels."""

    n_pairs: int
    reasons: list[ReasonCount]  # those that occur
    topics: list[TopicDrop]  # the greatest share first

    @property
    def n_dropped(self) -> int:
        return sum(reason.n for reason in self.reasons)

    @property
    def share(self) -> float:
        return self.n_dropped / self.n_pairs if self.n_pairs else 0.0

    @property
    def n_lost(self) -> int:
        """Topics of which nothing is kept."""
        return sum(topic.n_dropped == topic.n_pairs for topic in self.topics)

    def lines(self, topics: Iterable[TopicDrop]) -> list[tuple[TopicDrop, list[tuple[ReasonCount, int]]]]:
        """Each of these topics with how many pairs of it dropped for each reason."""
        return [(topic, list(zip(self.reasons, topic.by_reason, strict=True))) for topic in topics]


def dropped_in(snapshot: Snapshot) -> Dropped | None:
    """None of imported qrels."""
    path = inputs_path(snapshot)
    return _dropped_in(path) if path else None


@lru_cache(maxsize=MOST_READ)
def _dropped_in(path: Path) -> Dropped:
    """Of a file that never changes."""
    return _dropped(outcome_of(path.read_bytes()))


def _dropped(outcome: Outcome) -> Dropped:
    """Counts by reason and topic."""
    reasons = [reason for reason in dropped_by_reason(outcome) if reason.n]
    n_topics = len(outcome.table.numbers)
    listed = outcome.reason != Reason.CHECK
    n_pairs = np.bincount(outcome.topic[listed], minlength=n_topics)
    codes = [Reason[reason.key.upper()] for reason in reasons]
    by_reason = [np.bincount(outcome.topic[outcome.reason == code], minlength=n_topics) for code in codes]
    rows = [
        TopicDrop(number, int(n_pairs[i]), [int(counts[i]) for counts in by_reason])
        for i, number in enumerate(outcome.table.numbers)
        if n_pairs[i]
    ]
    return Dropped(int(listed.sum()), reasons, _worst_first(rows))


def _worst_first(rows: Sequence[TopicDrop]) -> list[TopicDrop]:
    return sorted(rows, key=lambda row: (-row.share, -row.n_dropped, natural_order(row.number)))


@dataclass(frozen=True)
class PolicyFacts:
    """What a compared policy keeps and how right it is on gold that it has not seen; `shared` are its pairs of the
    topics that all share, by which runs are measured: 0 where it keeps nothing."""

    name: str
    rule: str
    kept: int
    total: int
    n_pairs: int
    n_topics: int
    n_right: int
    n_gold: int
    interval: tuple[float, float] | None
    dropped: list[ReasonCount]
    shared: int

    @property
    def accuracy(self) -> float | None:
        return self.n_right / self.n_gold if self.n_gold else None


def compared_policies(stored: Accounting, result: AccountingResult) -> list[PolicyFacts]:
    """In the order in which they were named."""
    shared = dict(zip(result.cases, result.n_pairs, strict=True))
    return [_facts(each, shared.get(each["name"], 0)) for each in stored.facts["policies"]]


def _facts(each: dict[str, Any], shared: int) -> PolicyFacts:
    low_high = each["interval"]
    parts = {
        "interval": (low_high[0], low_high[1]) if low_high else None,
        "dropped": [ReasonCount(**reason) for reason in each["dropped"]],
    }
    return PolicyFacts(**{**each, **parts}, shared=shared)
