"""The coin of a card: for each person, block and number of the card there one number, as if drawn by chance.

It follows from the person's salt, which follows from the batch's seed and the person's place in the collection: the
same in every process and on every database, and nobody who does not know the salt can tell it.
"""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate
from struct import pack

BITS = 53  # as many as a float holds
SECOND = 1 << 32  # ordinals from here on are of a second coin


def coin(salt: int, *, block: int, ordinal: int) -> float:
    """A number from 0 (included) to 1 (excluded). `ordinal`: how many cards of the block come before, from 0."""
    digest = blake2b(pack(">QQQ", salt, block, ordinal), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> (64 - BITS)) / (1 << BITS)


def strand_of(number: float, shares: Sequence[float]) -> int | None:
    """Which of the shares, laid end to end from 0, the coin falls into; None beyond them."""
    return next((strand for strand, edge in enumerate(accumulate(shares)) if number < edge), None)


def by_chance(dues: Sequence[int], n: int, *, salt: int, block: int) -> list[int]:
    """At most `n` of the dues, each as likely as any other, in their order.

    Were it the first ones, the later cards of a block would be known to be plain where the stock is short.
    """
    chosen = sorted(dues, key=lambda due: coin(salt, block=block, ordinal=due + SECOND))[:n]
    return sorted(chosen)
