"""The coin of a card: for each person, block and number of the card there one number, as if drawn by chance.

It follows from the person's salt, which follows from the batch's seed and the person's place in the collection: the
same in every process and on every database, and nobody who does not know the salt can tell it.
"""

from hashlib import blake2b
from struct import pack

BITS = 53  # as many as a float holds


def coin(salt: int, *, block: int, ordinal: int) -> float:
    """A number from 0 (included) to 1 (excluded). `ordinal`: how many cards of the block come before, from 0."""
    digest = blake2b(pack(">QQQ", salt, block, ordinal), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> (64 - BITS)) / (1 << BITS)
