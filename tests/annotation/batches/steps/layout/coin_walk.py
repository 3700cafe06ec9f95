"""A plain walk through a plan by the rules of the claim where coins decide, written apart from it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import floor
from random import Random
from types import MappingProxyType

from annotation.batches.steps.layout import salt_of
from annotation.batches.steps.layout.material import Kind, Material
from annotation.batches.steps.layout.planning import Plan
from tests.annotation.batches.steps.layout.walk import LOOK, PRIME, Shown


@dataclass
class _Walker:
    """`kept`: by number of the card in the block, the item that a coin brings there, and in which reading. `page`: the
    cards in the person's page, each with its block.
    """

    person: int
    salt: int
    block: int = -1
    page: list[tuple[int, Shown]] = field(default_factory=list)
    done: Counter[int] = field(default_factory=Counter)
    thrown: int = 0
    pairs_end: int = 0
    kept: dict[int, tuple[int, int]] = field(default_factory=dict)
    repeats: Counter[int] = field(default_factory=Counter)  # dealt, by block
    met: set[tuple[int, int]] = field(default_factory=set)  # item, reading
    over: set[int] = field(default_factory=set)  # blocks that have nothing for them any more


class Walk:
    """The slots of ordinary items, and who is where. `ahead`: cards that a page holds behind the one on the screen."""

    def __init__(
        self, plan: Plan, material: Material, doubt: Mapping[int, int] = MappingProxyType({}), *, ahead: int = 5
    ) -> None:
        self._ahead = ahead
        self.items, self._shares, self._doubt = plan.items, material.wanted.coin_shares, dict(doubt)
        self.free = Counter(
            {at: plan.judgments_per_item for at, item in enumerate(plan.items) if item.kind is Kind.ORDINARY}
        )
        self._judged: Counter[int] = Counter()
        self._begun: set[int] = set()  # blocks
        self._orders: dict[int, list[int]] = {}  # of blocks, by person
        self._in_block: dict[int, list[int]] = defaultdict(list)
        self._stock: dict[tuple[int, int], list[int]] = defaultdict(list)  # by topic and strand
        for at, item in enumerate(plan.items):
            if item.kind is Kind.ORDINARY:
                self._in_block[item.block].append(at)
            elif item.strand is not None:
                self._stock[item.topic, item.strand].append(at)
        self._topic = {item.block: item.topic for item in plan.items}
        self._blocks_of = {topic: [b for b, t in self._topic.items() if t == topic] for topic in self._topic.values()}
        shares = self._shares
        self._n_left = round(self.free.total() / (1 - sum(shares) + shares[2]))
        self.walkers = [_Walker(p.annotator, salt_of(material.wanted.seed, p.ordinal)) for p in material.people]

    def run(self, *, together: bool, late: frozenset[int] = frozenset()) -> dict[int, list[Shown]]:
        """Everybody judges until nothing is left: each at a pace of their own, or each to their end before the next."""
        chance, n = Random(1), 0
        shown: dict[int, list[Shown]] = {walker.person: [] for walker in self.walkers}
        at_work = [walker for walker in self.walkers if walker.person not in late]
        while at_work or self._look():
            at_work = at_work or list(self.walkers)
            walker = chance.choice(at_work) if together else at_work[0]
            self.fetch(walker)
            if not walker.page:
                at_work.remove(walker)
                continue
            _, card = walker.page.pop(0)
            shown[walker.person].append(replace(card, waiting=len(walker.page)))
            self._n_left -= 1
            self.fetch(walker)
            n += 1
            if n % LOOK == 0 and not late and self._look():
                at_work = list(self.walkers) if together else at_work
        return shown

    def fetch(self, walker: _Walker) -> None:
        """The card in front and one after it wherever it is, then more of the same visit; fewer near the end."""
        n_people = len(self.walkers)
        most = self._ahead if n_people == 1 else min(self._ahead, max(1, self._n_left // (2 * n_people)))
        while len(walker.page) <= most:
            may_leave = len(walker.page) < 2
            if not may_leave and any(block != walker.block for block, _ in walker.page):
                return
            card = self.next(walker, may_leave=may_leave)
            if card is None:
                return
            walker.page.append((walker.block, card))

    def next(self, walker: _Walker, *, may_leave: bool) -> Shown | None:
        done = walker.done[walker.block]
        if done < walker.thrown:
            comes_alone = done in walker.kept and done >= walker.pairs_end
            if comes_alone or self._is_open(walker.block, walker):
                return self._here(walker)
        if not may_leave:
            return None
        block = self._next_block(walker)
        if block is None:
            return None
        walker.block = block
        self._throw(walker)
        return self._here(walker)

    def _here(self, walker: _Walker) -> Shown:
        done = walker.done[walker.block]
        item, reading = walker.kept.pop(done, (None, 1))
        if item is None:
            item = min(self._open(walker.block, walker), key=lambda at: self._order(at, walker))
        ordinary = self.items[item].kind is Kind.ORDINARY
        if ordinary and reading == 1:
            self.free[item] -= 1
            self._begun.add(walker.block)
        self._judged[item] += 1
        walker.done[walker.block] += 1
        walker.met.add((item, reading))
        kind = "repeat" if reading == 2 else self.items[item].kind.value
        return Shown(self.items[item].topic, kind, walker.thrown - walker.done[walker.block])

    def _throw(self, walker: _Walker) -> None:
        """What comes on the cards of the visit: all pairs that may come, and what comes beside them, in any order."""
        done, n_left, brought = walker.done[walker.block], len(self._open(walker.block, walker)), self._brought(walker)
        cards = range(done, done + n_left + len(brought))
        places = Random(f"{walker.salt} {walker.block} {done}").sample(cards, len(brought))
        walker.kept, walker.thrown = dict(zip(places, brought, strict=True)), cards.stop
        walker.pairs_end = 1 + max(card for card in cards if card not in walker.kept)

    def _brought(self, walker: _Walker) -> list[tuple[int, int]]:
        """Items and readings: of each strand as many as belong to the pairs by the end of the visit, and came not yet.

        Repeats belong to the pairs of the block alone: before, in its topic's first, there are none.
        """
        topic, block, walker.kept = self._topic[walker.block], walker.block, {}
        pairs = [at for each in self._blocks_of[topic] for at in self._in_block[each]]
        n_met = sum((at, 1) in walker.met for at in pairs)
        n_elsewhere = sum((at, 1) in walker.met for at in pairs if self.items[at].block != block)
        end, free = n_met + len(self._open(block, walker)), 1 - sum(self._shares) + self._shares[2]
        brought = list[tuple[int, int]]()
        for strand in (0, 1):
            stock = self._stock[topic, strand]
            rate = min(self._shares[strand] / free, len(stock) / len(pairs))
            n = floor(rate * end + self._part(walker, strand)) - sum((at, 1) in walker.met for at in stock)
            brought += [(item, 1) for item in self._unmet(walker, strand)[: max(0, n)]]
        rate, part = self._shares[3] / free, self._part(walker, 3)
        n = floor(rate * end + part) - floor(rate * n_elsewhere + part) - walker.repeats[block]
        repeats = [(item, 2) for item in self._repeats(walker)[: max(0, n)]]
        walker.repeats[block] += len(repeats)
        return brought + repeats

    def _part(self, walker: _Walker, strand: int) -> float:
        return Random(f"{walker.salt} {self._topic[walker.block]} {strand}").random()

    def _unmet(self, walker: _Walker, strand: int) -> list[int]:
        stock = self._stock[self._topic[walker.block], strand]
        rows = [at for at in stock if (at, 1) not in walker.met]
        return sorted(rows, key=lambda at: (self._judged[at], self._own(at, walker)))

    def _repeats(self, walker: _Walker) -> list[int]:
        topic = self._topic[walker.block]
        others = (at for block in self._blocks_of[topic] if block != walker.block for at in self._in_block[block])
        before = [at for at in others if (at, 1) in walker.met and (at, 2) not in walker.met]
        return sorted(before, key=lambda at: self._own(at, walker))

    def _look(self) -> bool:
        """Add a slot to each item in doubt whose slots are judged; whether there was one."""
        ready = [item for item, n in self._doubt.items() if n and not self.free[item]]
        for item in ready:
            self._doubt[item] -= 1
            self.free[item] += 1
            for walker in self.walkers:
                walker.over.discard(self.items[item].block)
        return bool(ready)

    def _open(self, block: int, walker: _Walker) -> list[int]:
        return [at for at in self._in_block[block] if self.free[at] > 0 and (at, 1) not in walker.met]

    def _is_open(self, block: int, walker: _Walker) -> bool:
        if block in walker.over:
            return False
        is_open = any(self.free[at] > 0 and (at, 1) not in walker.met for at in self._in_block[block])
        if not is_open:
            walker.over.add(block)
        return is_open

    def _own(self, at: int, walker: _Walker) -> int:
        return self.items[at].shuffle * walker.salt % PRIME

    def _order(self, at: int, walker: _Walker) -> tuple[bool, int]:
        return self._judged[at] == 0, self._own(at, walker)

    def _next_block(self, walker: _Walker) -> int | None:
        """With something open: rather of another topic than the last, then rather begun, then in the walker's order."""
        best: int | None = None
        last, best_key = self._topic.get(walker.block), (True, True)
        for block in self._in_order_of(walker):
            key = self._topic[block] == last, block not in self._begun
            if (best is None or key < best_key) and self._is_open(block, walker):
                best, best_key = block, key
                if not any(key):
                    break
        return best

    def _in_order_of(self, walker: _Walker) -> list[int]:
        if walker.person not in self._orders:
            self._orders[walker.person] = sorted(self._in_block, key=lambda block: (block + 1) * walker.salt % PRIME)
        return self._orders[walker.person]
