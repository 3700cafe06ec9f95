"""No document stands in two parts: their ids as hashes of 64 bits, which are kept beside the results and compared.

A part's hashes are sorted, behind a table of where each first byte begins, so that all parts are
compared range by range in bounded memory, and sums by which damage is found. Equal hashes are
looked up: ids are read again, and only equal ids are refused.
"""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Ints
from evaluation.formats.shards.finished import Executor
from evaluation.formats.shards.parts import Part
from evaluation.formats.shards.store import Store
from evaluation.formats.vectors.reading import read_vectors

IDS, CHECKED = ".id-hashes", ".different"
BYTES, RANGES = 8, 256
HEAD = (2 * RANGES + 2) * BYTES
ROWS = 1 << 24  # of all parts, compared in one go: half a gigabyte

Hashes = NDArray[np.uint64]
Work = tuple[str, tuple[str, ...], tuple[int, int]]  # results, hashes of the parts, first bytes from and to


def pack_ids(names: Sequence[str]) -> bytes:
    """What is kept of the ids of a part: 257 places, sums of the 256 ranges and of all that, then the hashes of the ids
    ascending; 8 bytes each, little-endian."""
    value = np.sort(np.frombuffer(b"".join(_hashed(name.encode()) for name in names), "<u8"))
    begin = np.searchsorted(value >> np.uint64(56), np.arange(RANGES + 1, dtype=np.uint64))
    head = begin.astype("<u8").tobytes() + _sums(value.tobytes(), begin)
    return head + _hashed(head) + value.tobytes()


def _sums(data: bytes, begin: Ints) -> bytes:
    """Of each range between two places."""
    return b"".join(_hashed(data[a:b]) for a, b in pairwise((begin * BYTES).tolist()))


def _hashed(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=BYTES).digest()


def require_different(
    corpus: Store, results: Store, parts: Sequence[Part], hashes: Sequence[str], executor: Executor
) -> None:
    """`hashes`: of the parts, in their order, whose packed ids lie beside the results. Done once for the same parts.

    Raises `ValueError` for a document that two parts have.
    """
    mark = hashlib.sha256(" ".join(sorted(hashes)).encode()).hexdigest() + CHECKED
    if len(parts) < 2 or results.has(mark):
        return
    works = [(results.url, tuple(hashes), (a, b)) for a, b in _ranges(results, hashes)]
    pairs = sorted({pair for matches in executor(equal_hashes, works) for pair in matches})
    for first, second in pairs:
        sides = [set(_ids(corpus, parts[at])) for at in (first, second)]
        if shared := sorted(sides[0] & sides[1], key=str.encode):
            more = f" (and {len(shared) - 1} more)" if len(shared) > 1 else ""
            where = f"{parts[first].name} and {parts[second].name}"
            raise ValueError(f"the document {shared[0]!r} is in two parts of the corpus, {where}{more}")
    results.write(mark, b"")


def equal_hashes(work: Work) -> list[tuple[int, int]]:
    """Pairs of parts, by their places, that share a hash whose first byte is in the range."""
    url, hashes, (first, last) = work
    results = Store(url)
    values = [_slice(results, sha + IDS, first, last) for sha in hashes]
    value = np.concatenate(values)
    owner: Ints = np.repeat(np.arange(len(values)), [len(one) for one in values])
    order = np.argsort(value, kind="stable")
    value, owner = value[order], owner[order]
    same = (value[1:] == value[:-1]) & (owner[1:] != owner[:-1])
    return sorted({(int(a), int(b)) for a, b in zip(owner[:-1][same], owner[1:][same], strict=True)})


def _ranges(results: Store, hashes: Sequence[str]) -> list[tuple[int, int]]:
    """First bytes from and to, so that about `ROWS` rows of all parts are in each."""
    sizes = {entry.name: entry.size for entry in results.files()}
    rows = sum(max(0, (sizes[sha + IDS] - HEAD) // BYTES) for sha in set(hashes))
    step = max(1, RANGES * ROWS // max(1, rows))
    return [(a, min(a + step, RANGES)) for a in range(0, RANGES, step)]


def _slice(results: Store, name: str, first: int, last: int) -> Hashes:
    """Raises `ValueError` where it is damaged, and takes the file away."""
    head = results.read(name, 0, HEAD)
    if _hashed(head[:-BYTES]) == head[-BYTES:]:
        begin = np.frombuffer(head, "<u8", count=RANGES + 1)[first : last + 1].astype(np.int64)
        data = results.read(name, *(HEAD + BYTES * begin[[0, -1]]).tolist())
        if _sums(data, begin - begin[0]) == head[BYTES * (RANGES + 1 + first) : BYTES * (RANGES + 1 + last)]:
            return np.frombuffer(data, "<u8")
    raise results.take_away(name)


def _ids(corpus: Store, part: Part) -> list[str]:
    with corpus.local(part.names) as folder:
        return read_vectors(folder / part.name).ids or []
