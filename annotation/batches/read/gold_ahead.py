"""How much gold the people who may take replacements would meet among them.

Coins bring it among added slots as among those of the layout, as long as the topic has some that
the person has not met. In a layout with reservations it is what was planted for them in those
blocks, up to the end of each.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Assignment, Batch, Block, Item, Participation, Planting, Slot, StockItem

DONE_WITH = (Assignment.State.JUDGED, Assignment.State.SURPLUS, Assignment.State.SKIPPED)  # never handed out again
NONE = (0.0, 0.0, 0.0, 0.0)
AnnotatorBlock = tuple[int, int]  # annotator's id, block's number


@dataclass(frozen=True)
class GoldAhead:
    """By pseudonym, of all who get cards and may take an added slot: the gold that comes if they take all they may."""

    n_of: Mapping[str, int]

    @property
    def n_people(self) -> int:
        return len(self.n_of)

    @property
    def least(self) -> int:
        return min(self.n_of.values(), default=0)

    @property
    def most(self) -> int:
        return max(self.n_of.values(), default=0)

    @property
    def unchecked(self) -> list[str]:
        """Who would meet none."""
        return sorted(name for name, n in self.n_of.items() if n == 0)


def gold_ahead(batch: Batch, items: Iterable[int]) -> GoldAhead:
    """Were slots added to these items now. Five queries."""
    chosen = set(items)
    blocks = dict(Item.objects.filter(batch=batch, planting__isnull=True, withheld=False).values_list("pk", "block"))
    in_block = Counter(blocks[item] for item in chosen if item in blocks)
    people = _people(batch)
    met = _met(batch, people, chosen)
    if batch.coin_shares is not None:
        return GoldAhead(_by_coins(batch, people, in_block, met, Counter(blocks.values())))
    done, dues = _done(batch, people), _dues(batch, people)
    n_of: dict[str, int] = {}
    for person, name in people.items():
        room = {block: n - met[person, block] for block, n in in_block.items() if n > met[person, block]}
        if room:
            n_of[name] = sum(coming(dues[person, block], done[person, block], n) for block, n in room.items())
    return GoldAhead(n_of)


def _by_coins(
    batch: Batch,
    people: Mapping[int, str],
    in_block: Mapping[int, int],
    met: Mapping[AnnotatorBlock, int],
    n_ordinary: Mapping[int, int],
) -> dict[str, int]:
    """On average, rounded: the coins' share, or that of the topic's stock among its pairs (`n_ordinary`, by block), and
    not more than the person has not met. Three queries.
    """
    topics = dict(Block.objects.filter(batch=batch).values_list("number", "topic"))
    stock = StockItem.objects.filter(batch=batch, item__planting__purpose=Planting.Purpose.GOLD)
    n_stock = Counter(stock.values_list("topic", flat=True))
    chance = _chances(batch.coin_shares or NONE, _by_topic(n_ordinary, topics), n_stock)
    mine = Assignment.objects.filter(item__in=stock.values("item"), annotator__in=people)
    n_met = Counter(mine.values_list("annotator", "item__topic"))
    n_of: dict[str, int] = {}
    for person, name in people.items():
        cards = _by_topic({block: max(0, n - met[person, block]) for block, n in in_block.items()}, topics)
        if cards.total():
            n_of[name] = round(sum(min(n * chance[t], n_stock[t] - n_met[person, t]) for t, n in cards.items()))
    return n_of


def _by_topic(n_of: Mapping[int, int], topics: Mapping[int, int]) -> Counter[int]:
    """From numbers by block."""
    n: Counter[int] = Counter()
    for block, number in n_of.items():
        n[topics[block]] += number
    return n


def _chances(shares: Sequence[float], n_pairs: Mapping[int, int], n_stock: Counter[int]) -> dict[int, float]:
    """By topic, how much gold comes with an ordinary card."""
    gold, checks, _, repeats = shares
    asked = gold / (1 - gold - checks - repeats)
    return {topic: min(asked, n_stock[topic] / n) for topic, n in n_pairs.items()}


def coming(dues: Sequence[int], done: int, n: int) -> int:
    """How many of what is due come among `n` more ordinary cards of a block in which `done` lie behind the person.

    What is due comes before an ordinary card, never after the last one.
    """
    n_come = 0
    for due in sorted(dues):
        n_come += due < done + n + n_come
    return n_come


def _people(batch: Batch) -> dict[int, str]:
    participations = Participation.objects.filter(batch=batch, is_active=True, annotator__gets_cards=True)
    names = participations.filter(annotator__user__isnull=False).values_list("annotator_id", "annotator__pseudonym")
    return dict(names.order_by("annotator__pseudonym"))


def _met(batch: Batch, people: Mapping[int, str], items: set[int]) -> Counter[AnnotatorBlock]:
    """How many of the items each has met, by block."""
    assignments = Assignment.objects.filter(batch=batch, reading=1, state__in=DONE_WITH, annotator__in=people)
    rows = assignments.values_list("annotator_id", "item__block", "item_id")
    return Counter((person, block) for person, block, item in rows.iterator() if item in items)


def _done(batch: Batch, people: Mapping[int, str]) -> Counter[AnnotatorBlock]:
    """As the claim counts them when somebody enters a block."""
    assignments = Assignment.objects.filter(batch=batch, annotator__in=people)
    counted = assignments.values_list("annotator_id", "item__block").annotate(n=Count("pk"))
    return Counter({(person, block): n for person, block, n in counted})


def _dues(batch: Batch, people: Mapping[int, str]) -> dict[AnnotatorBlock, list[int]]:
    kept = Slot.objects.filter(
        batch=batch, reserved_for__in=people, transferable=False, reading=1, item__withheld=False
    )
    waiting = kept.exclude(state=Slot.State.JUDGED).filter(item__planting__purpose=Planting.Purpose.GOLD)
    dues: dict[AnnotatorBlock, list[int]] = defaultdict(list)
    for person, block, due in waiting.values_list("reserved_for_id", "block", "due"):
        dues[person or 0, block].append(due or 0)
    return dues
