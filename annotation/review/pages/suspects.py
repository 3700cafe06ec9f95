"""Gold that may be wrong, as a page says it: who misses it, what they gave, what might be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from django.db.models import Q

from annotation.gold.read.current import current_gold
from annotation.gold.read.known_grades import Pair
from annotation.models import Collection, GoldEvent, ScaleVersion
from annotation.quality.arrays import Ints
from annotation.quality.gold_pairs.suspects import Suspicion
from annotation.quality.purpose import CRITERION
from annotation.review.read.suspects import GradeCount, Suspects, grade_counts_of

_MANY = 1_000_000  # to one: more is not worth a figure
_MOST = 2 / 3  # of those who missed: from here on they agree on a grade


@dataclass(frozen=True)
class Witness:
    """Somebody who judged the pair: what they gave, and how they do on the other gold."""

    pseudonym: str
    grade: int
    is_right: bool
    is_good: bool
    n_other: int
    accuracy: int  # percent, drawn towards chance where there is little


@dataclass(frozen=True)
class Suspect:
    """`better`: the grade that most of those who missed agree on; None where they do not agree."""

    event: GoldEvent
    evidence: float  # log odds that the pair is wrong
    n_judged: int
    n_missed: int
    n_good: int
    n_good_missed: int
    expected: float
    chance: str
    grades: list[GradeCount]
    witnesses: list[Witness]
    better: int | None
    is_next: bool  # that grade lies a step from an accepted one

    @property
    def odds(self) -> str:
        return odds_in_words(self.evidence)

    @property
    def also(self) -> list[int]:
        """The grades that are accepted besides the gold grade."""
        return [grade for grade in self.event.accepted if grade != self.event.grade]


def shown_suspects(suspects: Suspects, indexes: Sequence[int], scale: ScaleVersion) -> list[Suspect]:
    """Those at these indexes of the arrays, in this order. One query."""
    pair_by_index = {index: pair for pair, index in suspects.judged.index_by_pair().items()}
    events = _events(suspects.collection, [pair_by_index[index] for index in indexes])
    return [
        _suspect(suspects, index, events[pair_by_index[index]], scale)
        for index in indexes
        if pair_by_index[index] in events
    ]


def odds_in_words(evidence: float) -> str:
    """Of log odds: "about 36 to 1"."""
    if evidence > np.log(_MANY):
        return f"over {_MANY:,} to 1"
    odds = exp(evidence)
    return f"{odds:,.0f} to 1" if odds >= 1 else "under 1 to 1"


def _events(collection: Collection, pairs: Sequence[Pair]) -> dict[Pair, GoldEvent]:
    if not pairs:
        return {}
    numbers, docnos = {number for number, _ in pairs}, {docno for _, docno in pairs}
    among = Q(topic__number__in=numbers, document__docno__in=docnos)
    events = current_gold(collection, CRITERION).filter(among).select_related("topic", "document")
    return {(event.topic.number, event.document.docno): event for event in events}


def _suspect(suspects: Suspects, index: int, event: GoldEvent, scale: ScaleVersion) -> Suspect:
    suspicion, accepted = suspects.suspicion, suspects.judged.inputs.gold.accepted[index]
    better = _better(suspicion, index, accepted.nonzero()[0].astype(np.int64))
    return Suspect(
        event=event,
        evidence=float(suspicion.evidence[index]),
        n_judged=int(suspicion.n_judged[index]),
        n_missed=int(suspicion.n_missed[index]),
        n_good=int(suspicion.n_good[index]),
        n_good_missed=int(suspicion.n_good_missed[index]),
        expected=float(suspicion.expected[index]),
        chance=_percent(suspicion.chance(index)),
        grades=grade_counts_of(suspects, index, scale),
        witnesses=_witnesses(suspects, index),
        better=None if better is None else suspects.judged.inputs.scale.grades[better],
        is_next=better is not None and bool(np.abs(accepted.nonzero()[0] - better).min() == 1),
    )


def _better(suspicion: Suspicion, index: int, accepted: Ints) -> int | None:
    """The index of the grade that most of the good who missed gave; of all who did, where no good
    ones did."""
    for counts in (suspicion.good_given[index].copy(), suspicion.given[index].copy()):
        counts[accepted] = 0
        if counts.sum():
            return int(counts.argmax()) if counts.max() >= _MOST * counts.sum() else None
    return None


def _witnesses(suspects: Suspects, index: int) -> list[Witness]:
    """The best on the other gold first."""
    witnesses, table = suspects.suspicion.witnesses, suspects.judged.inputs.table
    rows = np.flatnonzero(witnesses.pair == index)
    rows = rows[np.argsort(-witnesses.accuracy[rows], kind="stable")]
    return [
        Witness(
            pseudonym=table.annotators[witnesses.who[row]],
            grade=suspects.judged.inputs.scale.grades[witnesses.step[row]],
            is_right=not witnesses.missed[row],
            is_good=bool(witnesses.good[row]),
            n_other=int(witnesses.n_other[row]),
            accuracy=round(100 * float(witnesses.accuracy[row])),
        )
        for row in rows.tolist()
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share >= 0.001 else "less than 0.1 %"
