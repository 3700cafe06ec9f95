"""Gold that may be wrong, as a page says it: who misses it, what they gave, and what might be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp

import numpy as np
from django.db.models import Q

from annotation.gold.read import JudgedGold, Pair, current_gold, judged_gold
from annotation.models import Collection, GoldEvent, ScaleVersion
from annotation.quality.arrays import Ints
from annotation.quality.gold_pairs.suspects import Suspicion, suspicion_of
from annotation.quality.table import CRITERION
from annotation.trust.read import default_parameters

_MANY = 1_000_000  # to one: more is not worth a figure
_MOST = 2 / 3  # of those who missed: from here on they agree on a grade


@dataclass(frozen=True)
class GradeCount:
    """How many people gave a grade to the pair, and how many of them are good on the other gold."""

    grade: int
    name: str
    n: int
    n_good: int
    is_accepted: bool


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
    odds: str
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
    def also(self) -> list[int]:
        """The grades that are accepted besides the gold grade."""
        return [grade for grade in self.event.accepted if grade != self.event.grade]


@dataclass(frozen=True, eq=False)
class Suspects:
    """All gold under suspicion, `ranked`; what a page says of some of it, `shown` works out."""

    collection: Collection
    judged: JudgedGold
    suspicion: Suspicion
    min_gold: int
    threshold: float

    @cached_property
    def ranked(self) -> list[int]:
        return [int(place) for place in self.suspicion.ranked()]

    @property
    def n_weighed(self) -> int:
        """Gold pairs that anybody has judged."""
        return int((self.suspicion.n_judged > 0).sum())

    def shown(self, places: Sequence[int], scale: ScaleVersion) -> list[Suspect]:
        """One query."""
        pair_at = {at: pair for pair, at in self.judged.places().items()}
        events = _events(self.collection, [pair_at[at] for at in places])
        return [_suspect(self, at, events[pair_at[at]], scale) for at in places if pair_at[at] in events]


def suspects_of(collection: Collection, judged: JudgedGold | None = None) -> Suspects:
    """Half a dozen queries, however many judgments."""
    judged, policy = judged or judged_gold(collection), default_parameters(collection)
    suspicion = suspicion_of(judged.inputs, threshold=policy.accuracy_threshold, min_gold=policy.min_gold)
    return Suspects(collection, judged, suspicion, policy.min_gold, policy.accuracy_threshold)


def grade_counts_of(suspects: Suspects, at: int, scale: ScaleVersion) -> list[GradeCount]:
    """What people gave to the gold pair at a place of the arrays, grade by grade."""
    suspicion, accepted = suspects.suspicion, suspects.judged.inputs.gold.accepted[at]
    return [
        GradeCount(
            each["grade"],
            each["name"],
            int(suspicion.given[at, g]),
            int(suspicion.good_given[at, g]),
            bool(accepted[g]),
        )
        for g, each in enumerate(scale.grades)
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
    wanted = Q(topic__number__in={number for number, _ in pairs}, document__docno__in={docno for _, docno in pairs})
    events = current_gold(collection, CRITERION).filter(wanted).select_related("topic", "document")
    return {(event.topic.number, event.document.docno): event for event in events}


def _suspect(suspects: Suspects, at: int, event: GoldEvent, scale: ScaleVersion) -> Suspect:
    suspicion, accepted = suspects.suspicion, suspects.judged.inputs.gold.accepted[at]
    better = _better(suspicion, at, accepted.nonzero()[0].astype(np.int64))
    return Suspect(
        event=event,
        odds=odds_in_words(float(suspicion.evidence[at])),
        n_judged=int(suspicion.n_judged[at]),
        n_missed=int(suspicion.n_missed[at]),
        n_good=int(suspicion.n_good[at]),
        n_good_missed=int(suspicion.n_good_missed[at]),
        expected=float(suspicion.expected[at]),
        chance=_percent(suspicion.chance(at)),
        grades=grade_counts_of(suspects, at, scale),
        witnesses=_witnesses(suspects, at),
        better=None if better is None else suspects.judged.inputs.scale.grades[better],
        is_next=better is not None and bool(np.abs(accepted.nonzero()[0] - better).min() == 1),
    )


def _better(suspicion: Suspicion, at: int, accepted: Ints) -> int | None:
    """The place of the grade that most of the good who missed gave; of all who did, where no good ones did."""
    for counts in (suspicion.good_given[at].copy(), suspicion.given[at].copy()):
        counts[accepted] = 0
        if counts.sum():
            return int(counts.argmax()) if counts.max() >= _MOST * counts.sum() else None
    return None


def _witnesses(suspects: Suspects, at: int) -> list[Witness]:
    """The best on the other gold first."""
    witnesses, table = suspects.suspicion.witnesses, suspects.judged.inputs.table
    rows = np.flatnonzero(witnesses.pair == at)
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
