"""What a person's coins bring: how many cards of a visit come from the stock, and which.

A coin is one number for each person, block and card. It follows from the person's salt, which
follows from the batch's seed and the person's place in the collection: the same in every process
and on every database, and nobody who does not know the salt can tell it.

How many come is even: of each strand as many as belong to the pairs of the topic that the person
has met and will have met at the end of the visit, up to a part of one, which a coin rounds. So a
visit is no longer or shorter by chance than others with as many pairs, and the stock lasts to the
topic's end, however little there is. Which cards of the visit they are is drawn: those with the
lowest coins, so that every card is as likely as any other, the last one too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from struct import pack

from annotation.models import StockItem

BITS = 53  # as many as a float holds
ROUNDING = 1 << 32  # ordinals from here on say which way a part of a card is rounded


def coin(salt: int, *, block: int, ordinal: int) -> float:
    """A number from 0 (included) to 1 (excluded). `ordinal`: how many cards come before, from 0."""
    digest = blake2b(pack(">QQQ", salt, block, ordinal), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> (64 - BITS)) / (1 << BITS)


@dataclass(frozen=True)
class Strands:
    """How much of each strand belongs to a topic's pairs, for one person.

    `block`: the topic's first. `rates`: cards of each strand for every pair.
    """

    salt: int
    block: int
    rates: Sequence[float]

    def due_by(self, strand: int, n_pairs: int) -> int:
        """How many of a strand have come by the time that so many pairs of the topic have."""
        rounding = coin(self.salt, block=self.block, ordinal=ROUNDING + strand)
        return int(self.rates[strand] * n_pairs + rounding)


def rates_of(shares: Sequence[float]) -> list[float]:
    """Cards of each strand for every pair; `shares` are parts of all cards. What is wanted in any case is a pair."""
    n_pairs = 1 - sum(shares) + shares[StockItem.WANTED]
    return [share / n_pairs for share in shares]


def deal(salt: int, *, block: int, cards: range, wanted: Sequence[int]) -> list[list[int]]:
    """For each strand so many of the cards as are wanted, in order; no card twice, each as likely as any other."""
    lowest = iter(sorted(cards, key=lambda ordinal: coin(salt, block=block, ordinal=ordinal)))
    return [sorted(islice(lowest, n)) for n in wanted]
