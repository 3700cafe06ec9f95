"""Batches whose pairs get as many judgments as they need: what they came to, and which pairs can have one more now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.utils.dateparse import parse_datetime

from annotation.batches.read.batches import SHARED
from annotation.kernel.visible import laid_out
from annotation.models import Batch, Item, Participation, Slot
from annotation.quality.overlap import ENOUGH, Likely, OverlapRule, Summary, likely, why_not
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.judgments import scale_of
from annotation.trust.read.policies import parameters_of

Pair = tuple[str, str]  # topic number, docno
PLENTY = 30  # gold pairs with their first judgments: then some may be left out and still enough are there
FEWEST_NEW = 25  # judgments between two looks, as long as there is other work
SHARE_NEW = 0.01  # and as a share of those expected

FIRST = Q(slots__reading=1)
JUDGED = Q(slots__state=Slot.State.JUDGED)


@dataclass(frozen=True)
class Steering:
    """What the last look at a batch found; None before the first one. `n_withheld`: pairs that are withheld now."""

    rule: OverlapRule
    summary: Summary | None
    looked_at: datetime | None
    n_added: int
    n_withheld: int
    enough: int = ENOUGH

    @property
    def target(self) -> str:
        return f"{100 * self.rule.target:g}"


@dataclass(frozen=True)
class OverlapForecast:
    """What a draft can cost at most, and what simulated people make of it. `n_judgments`: of ordinary pairs;
    `n_gold_ready`: gold pairs that are to be expected to get the first judgments, as many as every pair."""

    rule: OverlapRule
    policy: str
    n_pairs: int
    n_judgments: int
    most: int
    seconds: float
    n_people: int
    n_gold: int
    n_gold_ready: int
    rows: tuple[Likely, ...] = ()
    enough: int = ENOUGH
    plenty: int = PLENTY

    @property
    def target(self) -> str:
        return f"{100 * self.rule.target:g}"

    @property
    def further(self) -> int:
        """Judgments beyond those laid out."""
        return self.most - self.n_judgments

    @property
    def further_hours(self) -> float:
        return self.further * self.seconds / 3600

    @property
    def too_few_people(self) -> bool:
        return self.n_people < self.rule.maximum

    @property
    def too_little_gold(self) -> bool:
        return self.n_gold_ready < self.enough

    @property
    def barely_enough_gold(self) -> bool:
        """Enough to begin with, if all goes as planned; not enough for folds of it to be left out, nor for later
        numbers of judgments."""
        return self.enough <= self.n_gold_ready < self.plenty

    @property
    def likely(self) -> list[dict[str, Any]]:
        """By how good the people are: judgments of all pairs, and what is saved of the most."""
        return [
            {
                "row": row,
                "percent": 100 * row.accuracy,
                "n": round(row.per_pair * self.n_pairs),
                "saved": self._saved(row),
            }
            for row in self.rows
        ]

    def _saved(self, row: Likely) -> float:
        return 100 * (1 - row.per_pair / self.rule.maximum)


def rule_of(batch: Batch) -> OverlapRule | None:
    """None for a batch whose number of judgments is fixed."""
    if batch.most_judgments is None or batch.target_probability is None:
        return None
    return OverlapRule(batch.judgments_per_item, batch.most_judgments, batch.target_probability)


def steering_of(batch: Batch) -> Steering | None:
    rule, last = rule_of(batch), batch.steering
    if rule is None:
        return None
    if not last:
        return Steering(rule, None, None, 0, 0)
    looked_at = parse_datetime(last["looked_at"])
    return Steering(rule, Summary.of(last["summary"]), looked_at, last["n_added"], len(withheld_pairs(batch)))


def overlap_forecast(
    batch: Batch, *, n_pairs: int, seconds: float, n_people: int, n_gold: int, n_gold_ready: int
) -> OverlapForecast | None:
    """Of a draft with `n_pairs` ordinary pairs; None where the number of judgments is fixed."""
    rule, policy = rule_of(batch), batch.steered_by
    if rule is None or policy is None:
        return None
    parameters = parameters_of(policy)
    rows = () if why_not(parameters, maximum=rule.maximum) else _likely(batch, rule, parameters)
    return OverlapForecast(
        rule=rule,
        policy=str(policy),
        n_pairs=n_pairs,
        n_judgments=rule.first * n_pairs,
        most=rule.maximum * n_pairs,
        seconds=seconds,
        n_people=n_people,
        n_gold=n_gold,
        n_gold_ready=n_gold_ready,
        rows=rows,
    )


def _likely(batch: Batch, rule: OverlapRule, parameters: Parameters) -> tuple[Likely, ...]:
    """Simulated people have gold enough to be believed or not; the rule alone is tried."""
    return likely(rule, parameters, scale_of([batch]).grades)


def steered_batches() -> "QuerySet[Batch]":
    """Those that are open: their pairs may get more slots."""
    return Batch.objects.filter(state=Batch.State.OPEN, steered_by__isnull=False).select_related(
        "collection", "scale", "steered_by"
    )


def ready_items(batch: Batch) -> Mapping[Pair, tuple[int, int]]:
    """Ordinary pairs whose slots are all judged and that may have more: item and number of slots.

    Not more than there are people: nobody judges a pair twice, and a slot that nobody can take would never be judged.
    """
    n_people = Participation.objects.filter(batch=batch, is_active=True).count()
    most = min(batch.most_judgments or 0, n_people)
    items = Item.objects.filter(laid_out(), batch=batch, planting__isnull=True, withheld=False)
    counted = items.annotate(n_slots=Count("slots", filter=FIRST), judged=Count("slots", filter=FIRST & JUDGED))
    ready = counted.filter(n_slots=F("judged"), n_slots__gte=batch.judgments_per_item, n_slots__lt=most)
    rows = ready.values_list("topic__number", "document__docno", "pk", "n_slots")
    return {(number, docno): (item, n_slots) for number, docno, item, n_slots in rows}


def withheld_pairs(batch: Batch) -> frozenset[Pair]:
    """Ordinary pairs that nobody is asked about until an admin has decided."""
    items = Item.objects.filter(laid_out(), batch=batch, planting__isnull=True, withheld=True)
    return frozenset(items.values_list("topic__number", "document__docno"))


def n_judged(batch: Batch) -> int:
    """Slots of the batch that are judged."""
    return Slot.objects.filter(batch=batch, state=Slot.State.JUDGED).count()


def is_due(batch: Batch) -> bool:
    """Whether so much was judged since the last look that another may find something, or nothing else is left to do."""
    new = n_judged(batch) - int(batch.steering.get("n_judged", 0))
    if new <= 0:
        return False
    if new < max(FEWEST_NEW, SHARE_NEW * batch.n_expected):
        return not Slot.objects.filter(SHARED, batch=batch, state=Slot.State.OPEN).exists()
    return True
