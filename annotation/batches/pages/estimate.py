"""What a batch would roughly come to while its form is being filled in: a few counts, no layout.

The dry run plans the layout itself; it may come to less gold, which comes only among the pairs of
its topic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef

from annotation.batches.forms.batches import MOST_PLANTED, SHARES, BatchForm
from annotation.batches.pages.counting import Counting
from annotation.batches.read.batches import seconds_per_judgment
from annotation.gold.read.current import current_gold
from annotation.models import Annotator, Collection, Judgment, Planting, Pool, PoolPair, Topic
from annotation.text.counted import counted


@dataclass(frozen=True)
class Pairs:
    """`n_gold`: gold pairs of the topics, in the pool or not."""

    n_topics: int
    n_ordinary: int
    n_gold: int


@dataclass(frozen=True)
class Estimate:
    """`n_wanted`: judgments of pairs whose grade is not known; `n_judgments`: with gold, checks and repeats.

    `gold_each`: of a person, at most. `cost`: None where nobody has said what a judgment costs. `missing`: why it could
    not be laid out; empty where it could.
    """

    pairs: Pairs
    n_people: int
    n_wanted: int
    n_judgments: int
    gold_each: int
    hours: float
    cost: Decimal | None
    counting: Counting
    missing: str


def estimate_of(form: BatchForm) -> Estimate | None:
    """Of a bound form as it stands, right or not; None without a pool."""
    form.is_valid()
    entered, collection = form.cleaned_data, form.collection
    if entered.get("pool") is None or collection.scale is None:
        return None
    per_pair = entered.get("judgments_per_item") or 1
    pairs = _pairs(collection, entered["pool"], entered["topics"])
    people = [person for person in entered.get("annotators") or () if person.gets_cards]
    n_wanted = pairs.n_ordinary * per_pair
    gold_each, others_each = _planted_each(entered, pairs, n_wanted / max(len(people), 1))
    n_judgments = round(n_wanted + len(people) * (gold_each + others_each))
    seconds, _ = seconds_per_judgment(collection, minimum=entered.get("minimum_seconds") or 0)
    cost, gold_share = collection.cost_per_judgment, entered.get("gold_share") or 0.0
    gold = [gold_each + before for before in _gold_before(collection, people)]
    return Estimate(
        pairs=pairs,
        n_people=len(people),
        n_wanted=n_wanted,
        n_judgments=n_judgments,
        gold_each=gold_each,
        hours=n_judgments * seconds / 3600,
        cost=None if cost is None else cost * n_judgments,
        counting=Counting.of_gold(collection, gold, gold_share=gold_share),
        missing=_missing(pairs, len(people), per_pair),
    )


def _planted_each(entered: dict[str, float], pairs: Pairs, ordinary_each: float) -> tuple[int, float]:
    """Gold, and checks with repeats, of a person with so many ordinary cards. Nobody meets a gold pair twice."""
    gold, checks, repeats = (entered.get(name) or 0.0 for name in SHARES)
    cards = ordinary_each / (1 - min(gold + checks + repeats, MOST_PLANTED / 100))
    return min(pairs.n_gold, round(gold * cards)), (checks + repeats) * cards


def _pairs(collection: Collection, pool: Pool, topics: Sequence[Topic]) -> Pairs:
    gold = current_gold(collection, scale=collection.scale)
    pooled = PoolPair.objects.filter(pool=pool, topic__in=topics)
    is_gold = Exists(gold.filter(topic=OuterRef("topic"), document=OuterRef("document")))
    return Pairs(len(topics), pooled.exclude(is_gold).count(), gold.filter(topic__in=topics).count())


def _gold_before(collection: Collection, people: Sequence[Annotator]) -> list[int]:
    """Of each person: gold items judged so far."""
    judged = Judgment.objects.filter(
        annotator__in=people, scale=collection.scale, item__planting__purpose=Planting.Purpose.GOLD
    )
    n_of = dict(judged.order_by().values_list("annotator").annotate(n=Count("item", distinct=True)))
    return [n_of.get(person.pk, 0) for person in people]


def _missing(pairs: Pairs, n_people: int, per_pair: int) -> str:
    if not pairs.n_ordinary:
        return "Nothing is left to judge: all pairs are gold, or the topics have none in this pool."
    if n_people < per_pair:
        there = counted(n_people, "person", "people") if n_people else "none"
        return f"{counted(per_pair, 'judgment')} per pair need as many people who get cards; chosen: {there}."
    return ""
