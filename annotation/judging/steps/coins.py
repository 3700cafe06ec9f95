"""The coins of a topic's cards: which cards the stock brings to a person, as if drawn by chance.

A coin is one number for each person, block and card. It follows from the person's salt, which follows from the batch's
seed and the person's place in the collection: the same in every process and on every database, and nobody who does not
know the salt can tell it.

What the stock holds for the person is spread over all the cards that the topic can have for them: the cards with the
lowest coins get it (sampling without replacement). So every card is as likely as any other to be brought by a part of
the stock, and the stock lasts, however little there is.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from struct import pack

from annotation.models import StockItem

BITS = 53  # as many as a float holds
ROUNDING = 1 << 32  # ordinals from here on say which way a part of a card is rounded,
SECOND = 1 << 33  # and from here on they are of a second coin


def coin(salt: int, *, block: int, ordinal: int) -> float:
    """A number from 0 (included) to 1 (excluded). `ordinal`: how many cards come before, from 0."""
    digest = blake2b(pack(">QQQ", salt, block, ordinal), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> (64 - BITS)) / (1 << BITS)


def deal(salt: int, *, block: int, n_pairs: int, shares: Sequence[float], supply: Mapping[int, int]) -> dict[int, int]:
    """The strand that brings each card of a topic, by ordinal from 0; cards that none brings are not in it.

    `block`: the topic's first. `n_pairs`: its ordinary pairs, all that a person can meet. `shares`: of all cards, by
    strand. `supply`: how much of a strand there is for the person; strands that are not in it never run out. Less
    supply leaves the rest where it is.
    """
    n_cards = n_pairs / (1 - sum(shares) + shares[StockItem.WANTED])
    n_ordinals = -int(-n_cards // 1)
    order = sorted(range(n_ordinals), key=lambda ordinal: coin(salt, block=block, ordinal=ordinal))
    dealt, at = dict[int, int](), 0
    for strand, share in enumerate(shares):
        n = int(share * n_cards + coin(salt, block=block, ordinal=ROUNDING + strand))
        served = min(n, supply.get(strand, n))
        dealt |= dict.fromkeys(order[at : at + served], strand)
        at += n
    return dealt


def by_chance(dues: Sequence[int], n: int, *, salt: int, block: int) -> list[int]:
    """At most `n` of the dues, each as likely as any other, in their order."""
    chosen = sorted(dues, key=lambda due: coin(salt, block=block, ordinal=due + SECOND))[:n]
    return sorted(chosen)
