"""Pairs that ask for a decision: why each does, and which of them first."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag, auto

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.counted import answer_rows
from annotation.quality.filtering import Reason
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome, Source
from annotation.quality.scale import Scale

ENOUGH_WHO_CANNOT = 2  # people who could not judge a pair before somebody else has to


class Why(IntFlag):
    """Why a pair is contested; several may hold."""

    APART = auto()  # dropped: the reliable grades are too far apart
    NO_GRADE = auto()  # dropped: the rule makes no one grade of them
    FEW = auto()  # dropped: too few reliable judgments, and nobody is to give more
    WIDE = auto()  # counted grades, of whomever, lie far apart
    UNSURE = auto()  # the policy asked for a second opinion is not sure enough of its grade
    CANNOT = auto()  # people could not judge it
    FLAGGED = auto()  # people wrote something about it
    SENT = auto()  # somebody asked for a decision on it


_DROPPED = {
    Reason.TOO_FAR_APART: Why.APART,
    Reason.TIED: Why.NO_GRADE,
    Reason.NO_MAJORITY: Why.NO_GRADE,
    Reason.NO_WEIGHT: Why.NO_GRADE,
    Reason.TOO_FEW: Why.FEW,
}


@dataclass(frozen=True, eq=False)
class Contested:
    """(n,) each, what to decide first in front. `row` is the place of the pair in the outcome."""

    row: Ints
    topic: Ints
    document: Ints
    why: Ints  # `Why`, of which at least one holds
    n_people: Ints  # counted judgments, one a person
    steps: Ints  # from the lowest to the highest counted grade, in places of the scale; 0 where nobody graded


def contested_pairs(
    outcome: Outcome,
    inputs: Inputs,
    *,
    wide: int,
    unsure: Bools | None = None,
    cannot: Bools | None = None,
    flagged: Bools | None = None,
    awaited: Bools | None = None,
    sent: Bools | None = None,
) -> Contested:
    """The contested pairs of an outcome that was made without adjudications, in this order:

    1. pairs that somebody sent: they are waited for;
    2. pairs without a grade before pairs with one: there a decision adds a pair to the qrels, here it only moves one;
    3. the farther apart their counted grades, in steps of the scale, the earlier: so far a decision may move them;
    4. the more people judged them, the earlier: so much work hangs on them;
    5. by topic and docno.

    Attention checks are never contested, nor is gold unless the policy takes it as judged. `wide`: the fewest steps
    that are wide, at least 1. The masks are (n_pairs,), in the order of the outcome. `awaited`: pairs that people are
    yet to judge, so that too few judgments make no dispute.
    """
    if wide < 1:
        raise ValueError("grades that are no step apart are not wide")
    spread, steps = outcome.counted, _steps(outcome, inputs.scale)
    masks = {Why.WIDE: steps >= wide, Why.UNSURE: unsure, Why.CANNOT: cannot, Why.FLAGGED: flagged, Why.SENT: sent}
    why = _why(outcome, masks, awaited)
    row = np.flatnonzero(why)
    was_sent = (why[row] & Why.SENT) > 0
    first = (outcome.kept[row], ~was_sent)
    order = np.lexsort((outcome.document[row], outcome.topic[row], -spread.n[row], -steps[row], *first))
    row = row[order].astype(np.int64)
    return Contested(row, outcome.topic[row], outcome.document[row], why[row], spread.n[row], steps[row])


def unsure_of(outcome: Outcome, *, below: float) -> Bools:
    """(n_pairs,): the judged grade has a confidence below so much."""
    low: Bools = outcome.confidence < below
    unsure: Bools = outcome.kept & low & (outcome.source == Source.JUDGED)
    return unsure


def cannot_judge(outcome: Outcome, inputs: Inputs, further: Ints) -> Bools:
    """(n_pairs,): at least `ENOUGH_WHO_CANNOT` people's last word on the pair is no grade of the scale, or a skip.

    `further`: a pair key of the table for each skip of a person who could not judge.
    """
    table = inputs.table
    row = answer_rows(table, excluded=inputs.excluded)
    key = np.concatenate([table.pair[row[~inputs.scale.holds(table.grade[row])]], further])
    keys, n = np.unique(key, return_counts=True)
    return among(outcome, keys[n >= ENOUGH_WHO_CANNOT])


def among(outcome: Outcome, key: Ints) -> Bools:
    """(n_pairs,): the pairs of the outcome with one of these keys of its table."""
    mine = outcome.table.keys_of(outcome)
    return np.asarray(np.isin(mine, key), dtype=np.bool_)


def _why(outcome: Outcome, masks: Mapping[Why, Bools | None], awaited: Bools | None) -> Ints:
    dropped = [(flag, outcome.reason == reason) for reason, flag in _DROPPED.items()]
    why = np.zeros(len(outcome.topic), dtype=np.int64)
    for flag, mask in [*dropped, *masks.items()]:
        if mask is not None:
            why[mask] |= flag
    if awaited is not None:
        why[awaited] &= ~int(Why.FEW)
    why[_settled(outcome)] = 0
    return why


def _steps(outcome: Outcome, scale: Scale) -> Ints:
    graded = outcome.counted.n > 0
    low, high = (end[graded].astype(np.int64) for end in (outcome.counted.minimum, outcome.counted.maximum))
    steps = np.zeros(len(graded), dtype=np.int64)
    steps[graded] = scale.index_of(high) - scale.index_of(low)
    return steps


def _settled(outcome: Outcome) -> Bools:
    """Pairs about which there is nothing to decide."""
    never = np.asarray(np.isin(outcome.reason, (Reason.CHECK, Reason.GOLD_OMITTED)), dtype=np.bool_)
    return never if outcome.policy.gold_pairs == "judged" else never | outcome.gold
