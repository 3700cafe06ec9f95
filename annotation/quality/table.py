"""The judgment table: every judgment of a collection and criterion, as aligned columns.

It is what the policy reads and what a snapshot freezes, so it holds everything that was ever saved,
also what will not count (surplus, not blind, revised); leaving out is the policy's work.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import lt
from typing import Protocol, Self

import numpy as np

from annotation.quality.arrays import Bools, Ints, distinct, frozen_column
from annotation.quality.packing import listed, pack, unpack
from annotation.quality.purpose import CRITERION

MAGIC = b"touchstone judgment table 1\n"
_CODED = {"topic": "numbers", "document": "docnos", "annotator": "annotators"}
_INTS = (*_CODED, "grade", "sequence", "revision", "reading", "purpose", "wall_ms", "active_ms")
_BOOLS = ("surplus", "blind", "informed")
COLUMNS: dict[str, type[np.generic]] = {**dict.fromkeys(_INTS, np.int64), **dict.fromkeys(_BOOLS, np.bool_)}
_IDS = tuple(_CODED.values())


class OfPairs(Protocol):
    """Anything with one row a topic–document pair."""

    @property
    def topic(self) -> Ints: ...

    @property
    def document(self) -> Ints: ...


@dataclass(frozen=True, eq=False)
class JudgmentTable:
    """Columns of length n, one row a saved judgment; read-only. Codes point into id lists, which are sorted as bytes.

    The id lists may name topics and documents that no judgment mentions (laid out, adjudicated) and annotators who have
    not judged yet. Raises `ValueError` where columns disagree, a code points nowhere or `sequence` repeats.
    """

    topic: Ints  # code into `numbers`
    document: Ints  # code into `docnos`
    annotator: Ints  # code into `annotators`
    grade: Ints  # a value outside the scale is "cannot judge"
    sequence: Ints  # order in which judgments were saved; unique; of a revised judgment the last one is the highest
    revision: Ints  # from 1
    reading: Ints  # from 1; 2 and more are silent repeats
    purpose: Ints  # a `Purpose`
    surplus: Bools  # came after its slot had gone to somebody else
    blind: Bools  # the person could not know the gold
    informed: Bools  # saved after feedback on this pair had been shown
    wall_ms: Ints  # from showing to saving; below 0: not recorded
    active_ms: Ints  # of which the page was visible and used; below 0: not recorded
    numbers: tuple[str, ...]
    docnos: tuple[str, ...]
    annotators: tuple[str, ...]  # pseudonyms
    criterion: str = CRITERION

    def __post_init__(self) -> None:
        length = len(self.topic)
        for name, dtype in COLUMNS.items():
            object.__setattr__(self, name, frozen_column(getattr(self, name), dtype, name, length))
        for name, ids in _CODED.items():
            _check_codes(name, getattr(self, name), getattr(self, ids))
        if len(distinct(self.sequence)) != length:
            raise ValueError("sequence must be unique: it decides which revision is the last")

    def __len__(self) -> int:
        return len(self.topic)

    def of(self, chosen: Bools) -> Self:
        """The rows chosen, (n,); ids keep their codes."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in COLUMNS})

    @property
    def pair(self) -> Ints:
        """(n,): one key for each topic–document pair, see `split_key`."""
        return self.keys_of(self)

    @property
    def meeting(self) -> Ints:
        """(n,): one key for each person and pair; those of a pair stand together."""
        return self.pair * max(len(self.annotators), 1) + self.annotator

    @cached_property
    def by_meeting(self) -> Ints:
        """(n,): the rows by `meeting`, and those of one in the order in which they were saved."""
        meeting = self.meeting
        if (np.diff(self.sequence) > 0).all():
            return np.argsort(meeting, kind="stable").astype(np.int64)
        return np.lexsort((self.sequence, meeting)).astype(np.int64)

    def rows_among(self, key: Ints) -> tuple[Ints, Ints]:
        """`(row, place)`: the rows whose pair is among these ascending keys, and where each one's stands there. Looks
        up the keys among the rows, which are many more."""
        pair = self.pair[self.by_meeting]
        begin, end = (np.searchsorted(pair, key, side=side) for side in ("left", "right"))
        n = end - begin
        first = np.cumsum(n) - n
        at = np.arange(n.sum()) + np.repeat(begin - first, n)
        return self.by_meeting[at], np.repeat(np.arange(len(key)), n)

    def keys_of(self, pairs: OfPairs) -> Ints:
        """The key of each pair, by the codes of this table."""
        return self.pair_key(pairs.topic, pairs.document)

    def pair_key(self, topic: Ints, document: Ints) -> Ints:
        """The same key for any codes of this table."""
        return topic * max(len(self.docnos), 1) + document

    def split_key(self, key: Ints) -> tuple[Ints, Ints]:
        """Topic and document codes of pair keys."""
        return key // max(len(self.docnos), 1), key % max(len(self.docnos), 1)

    def to_bytes(self) -> bytes:
        """The frozen form: equal tables give equal bytes, on any machine."""
        header = {**{name: list(getattr(self, name)) for name in _IDS}, "criterion": self.criterion}
        return pack(MAGIC, header, {name: getattr(self, name) for name in COLUMNS})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` wrote. Raises `ValueError` for anything else."""
        header, columns = unpack(MAGIC, data)
        if set(columns) != set(COLUMNS) or set(header) != {*_IDS, "criterion"}:
            raise ValueError("the columns of the file are not those of a judgment table")
        ids = {name: tuple(map(str, listed(header[name]))) for name in _IDS}
        return cls(**columns, **ids, criterion=str(header["criterion"]))  # type: ignore[arg-type]


def judgment_table(
    *,
    number: Sequence[str],
    docno: Sequence[str],
    annotator: Sequence[str],
    grade: Sequence[int] | Ints,
    further_pairs: Iterable[tuple[str, str]] = (),
    further_annotators: Iterable[str] = (),
    criterion: str = CRITERION,
    **columns: Sequence[int] | Sequence[bool] | Ints | Bools,
) -> JudgmentTable:
    """A table from external ids, one entry a judgment.

    Columns not given: sequence as the rows stand, revision 1, reading 1, ordinary, not surplus, blind, not informed,
    times not recorded.
    """
    further = list(further_pairs)
    numbers = _sorted_ids([*number, *(pair[0] for pair in further)])
    docnos = _sorted_ids([*docno, *(pair[1] for pair in further)])
    people = _sorted_ids([*annotator, *further_annotators])
    with_defaults = {**_defaults(len(number)), **columns}
    return JudgmentTable(
        topic=codes_of(number, numbers),
        document=codes_of(docno, docnos),
        annotator=codes_of(annotator, people),
        grade=np.asarray(grade, dtype=np.int64),
        **{name: np.asarray(values, dtype=COLUMNS[name]) for name, values in with_defaults.items()},
        numbers=numbers,
        docnos=docnos,
        annotators=people,
        criterion=criterion,
    )


def codes_of(ids: Sequence[str], all_ids: Sequence[str]) -> Ints:
    """(n,): place of each id in `all_ids`. Raises `KeyError` for an id that is not there."""
    code_by_id = {name: code for code, name in enumerate(all_ids)}
    return np.fromiter(map(code_by_id.__getitem__, ids), dtype=np.int64, count=len(ids))


def _sorted_ids(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(ids), key=str.encode))


def _defaults(length: int) -> dict[str, Ints | Bools]:
    one, no = np.ones(length, dtype=np.int64), np.zeros(length, dtype=np.bool_)
    return {
        "sequence": np.arange(length),
        "revision": one,
        "reading": one,
        "purpose": one - 1,
        "surplus": no,
        "blind": ~no,
        "informed": no,
        "wall_ms": -one,
        "active_ms": -one,
    }


def _check_codes(name: str, codes: Ints, ids: tuple[str, ...]) -> None:
    if not all(map(lt, ids, ids[1:])):  # the order of characters is that of their bytes
        raise ValueError(f"the ids behind {name} must be unique and sorted as bytes")
    if len(codes) and (codes.min() < 0 or codes.max() >= len(ids)):
        raise ValueError(f"a code of {name} points outside its id list")
