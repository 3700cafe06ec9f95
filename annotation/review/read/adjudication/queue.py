"""The queue: contested pairs that wait for a decision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, overload

import numpy as np

from annotation.gold.read.known_grades import Pair
from annotation.kernel.tables import natural_order
from annotation.models import AdjudicationReading, Batch, Collection, Policy, SentPair, User
from annotation.quality.arrays import Bools, Ints
from annotation.quality.contested import Why
from annotation.quality.purpose import CRITERION
from annotation.review.read.adjudication.contested import ContestedOptions, ContestedPairs, contested_of, sent_pairs
from annotation.trust.read.judgments import decisions
from annotation.trust.read.policies import parameters_of

WORDS = {
    Why.APART: ("grades too far apart", "Dropped by the policy: the reliable grades are farther apart than it allows."),
    Why.NO_GRADE: ("no one grade", "Dropped by the policy: its rule finds no one grade in the judgments."),
    Why.FEW: (
        "too few reliable judgments",
        "Dropped by the policy: too few people whose grades count have judged it, and no judgment is due.",
    ),
    Why.WIDE: (
        "wide range",
        "Two people’s grades lie far apart, whether they count under the policy or not.",
    ),
    Why.UNSURE: ("low posterior", "The second opinion’s own confidence in its grade is below the threshold."),
    Why.CANNOT: (
        "could not be judged",
        "Two people or more could not judge it, or it is kept from everybody for that.",
    ),
    Why.FLAGGED: (
        "flagged",
        "Somebody wrote a comment, or skipped it as unclear, for a reason of their own, or with a note.",
    ),
    Why.SENT: ("sent", "Somebody who leads the collection sent it here; the reason is beside it."),
}


@dataclass(frozen=True)
class Reservations:
    """Pairs that somebody else reads now, by whom; pairs that the person has open, and has left for others."""

    others: dict[Pair, str]
    mine: frozenset[Pair]
    left: frozenset[Pair]


NO_RESERVATIONS = Reservations({}, frozenset(), frozenset())


@dataclass(frozen=True)
class QueueRow:
    """`holder`: who else reads it now; `left`: the person has left it for others; `sent`: by whom and why, if anybody
    sent it. Nobody's grade or comment is here."""

    number: str
    docno: str
    why: list[str]
    n_people: int
    holder: str
    left: bool
    sent: SentPair | None = None

    @property
    def sender(self) -> str:
        return self.sent.created_by.username if self.sent else ""

    @property
    def because(self) -> str:
        return self.sent.reason if self.sent else ""


@dataclass(frozen=True)
class ReasonCount:
    key: str
    words: str
    meaning: str
    n: int


@dataclass(frozen=True, eq=False)
class WaitingPairs(Sequence[QueueRow]):
    """What waits, in the order of `contested`, row by row; `reasons` and `topics` count what the other one chooses."""

    contested: ContestedPairs
    reservations: Reservations
    sent: Mapping[Pair, SentPair]
    n_contested: int
    n_decided: int
    reasons: list[ReasonCount]
    topics: list[tuple[str, int]]
    indexes: Ints

    def __len__(self) -> int:
        return len(self.indexes)

    @overload
    def __getitem__(self, at: int) -> QueueRow: ...

    @overload
    def __getitem__(self, at: slice) -> list[QueueRow]: ...

    def __getitem__(self, at: int | slice) -> QueueRow | list[QueueRow]:
        if isinstance(at, slice):
            return [self._row(index) for index in self.indexes[at].tolist()]
        return self._row(int(self.indexes[at]))

    def pairs(self, rows: Iterable[QueueRow] | None = None) -> Iterator[Pair]:
        """What waits for this person, of all or of these rows, what they have open first; what somebody else reads or
        they have left is not offered to them."""
        all_ = (self.contested.pair(index) for index in self.indexes.tolist())
        pairs = list(all_) if rows is None else [(row.number, row.docno) for row in rows]
        yield from (pair for pair in pairs if pair in self.reservations.mine)
        others, left = self.reservations.others, self.reservations.left
        yield from (pair for pair in pairs if pair not in others and pair not in left)

    @property
    def n_waiting(self) -> int:
        return self.n_contested - self.n_decided

    @property
    def n_with_others(self) -> int:
        """With somebody else now."""
        return sum(pair in self.contested.index_by_pair for pair in self.reservations.others)

    def _row(self, index: int) -> QueueRow:
        pair = self.contested.pair(index)
        why = Why(int(self.contested.arrays.why[index]))
        words = [WORDS[flag][0] for flag in WORDS if flag & why]
        n_people, holder = int(self.contested.arrays.n_people[index]), self.reservations.others.get(pair, "")
        return QueueRow(*pair, words, n_people, holder, pair in self.reservations.left, self.sent.get(pair))


class QueueChoice(Protocol):
    """What a form has read of the query: `numbers` are those of `ContestedOptions`."""

    def chosen_batches(self) -> Sequence[Batch]: ...
    def chosen_policy(self) -> Policy: ...
    def second_opinion(self) -> Policy | None: ...
    def numbers(self) -> Mapping[str, float]: ...


def waiting_for(
    reader: User, collection: Collection, choice: QueueChoice, query: Mapping[str, str], *, moment: datetime
) -> WaitingPairs:
    """The queue as somebody reads it now; `query`: the address, of which reason and topic choose."""
    second = choice.second_opinion()
    posterior = parameters_of(second) if second else None
    policy, numbers = parameters_of(choice.chosen_policy()), choice.numbers()
    options = ContestedOptions(policy, posterior=posterior, **numbers)  # type: ignore[arg-type]
    reservations = reservations_of(collection, reader, moment=moment)
    contested = contested_of(collection, choice.chosen_batches(), options)
    reason, topic = query.get("reason", ""), query.get("topic", "")
    return waiting_pairs(collection, contested, reservations, reason=reason, topic=topic)


def waiting_pairs(
    collection: Collection,
    contested: ContestedPairs,
    reservations: Reservations = NO_RESERVATIONS,
    *,
    reason: str = "",
    topic: str = "",
    criterion: str = CRITERION,
) -> WaitingPairs:
    """The contested pairs without a decision, of a reason and topic if wanted; ids that are none choose nothing."""
    arrays, waits = contested.arrays, _waits(collection, contested, criterion)
    of_topic = _of_topic(contested, topic) if topic else np.ones_like(waits)
    flag = next((flag for flag in WORDS if _key(flag) == reason), None)
    of_reason = (arrays.why & flag) > 0 if flag else np.full_like(waits, not reason)
    codes, n = np.unique(arrays.topic[waits & of_reason], return_counts=True)
    return WaitingPairs(
        contested,
        reservations,
        sent_pairs(collection, criterion),
        n_contested=len(waits),
        n_decided=int((~waits).sum()),
        reasons=_reasons(contested, waits & of_topic),
        topics=_in_order((contested.numbers[code], int(k)) for code, k in zip(codes, n, strict=True)),
        indexes=np.flatnonzero(waits & of_topic & of_reason).astype(np.int64),
    )


def _in_order(topics: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(topics, key=lambda topic: natural_order(topic[0]))


def _waits(collection: Collection, contested: ContestedPairs, criterion: str) -> Bools:
    """Which of the contested pairs have no decision."""
    waits = np.ones(len(contested.arrays.row), dtype=np.bool_)
    indexes = [contested.index_by_pair.get(pair) for pair in decisions(collection, criterion)]
    waits[[index for index in indexes if index is not None]] = False
    return waits


def _reasons(contested: ContestedPairs, chosen: Bools) -> list[ReasonCount]:
    why = contested.arrays.why[chosen]
    return [ReasonCount(_key(flag), *words, int(((why & flag) > 0).sum())) for flag, words in WORDS.items()]


def reservations_of(
    collection: Collection, reader: User, *, moment: datetime, criterion: str = CRITERION
) -> Reservations:
    """One query."""
    readings = AdjudicationReading.objects.filter(collection=collection, criterion=criterion).exclude(state="decided")
    columns = ("topic__number", "document__docno", "reader", "reader__username", "state", "held_until")
    others, own = dict[Pair, str](), dict[Pair, str]()
    for number, docno, who, name, state, until in readings.order_by("pk").values_list(*columns):
        if who == reader.pk:
            own[number, docno] = state
        elif state == AdjudicationReading.State.OPEN and until > moment:
            others[number, docno] = name
    mine = frozenset(pair for pair, state in own.items() if state == AdjudicationReading.State.OPEN)
    return Reservations(others, mine, frozenset(own) - mine)


def _of_topic(contested: ContestedPairs, number: str) -> Bools:
    code = contested.numbers.index(number) if number in contested.numbers else -1
    return np.asarray(contested.arrays.topic == code)


def _key(flag: Why) -> str:
    return str(flag.name).lower()
