"""The policy, applied: judgment table, gold, exclusions and adjudications → outcome.

The same inputs give the same outcome to the last bit, in whatever order the rows of the table
stand.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.adjudications import Adjudications
from annotation.quality.arrays import Bools, Floats, Ints, tally
from annotation.quality.consolidation import CONSOLIDATORS, Known
from annotation.quality.counted import excluded_mask
from annotation.quality.filtering import Reason, filter_pairs
from annotation.quality.gold import Gold
from annotation.quality.inputs import Inputs
from annotation.quality.machines.merge import of_people, with_machines
from annotation.quality.outcome import Outcome, People, Source
from annotation.quality.pairs import find
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.standing import Standing, standing_of
from annotation.quality.votes import Spread, Votes, spread_of


def apply_policy(inputs: Inputs, policy: Policy) -> Outcome:
    """Steps 1 to 7 of the default policy, each with the policy's parameters.

    The pairs decided on are those with a judgment of any kind in a chosen batch, those adjudicated, and those laid out
    (so that one that nobody judged is listed as dropped). Gold that is none of these plays no part: imported gold does
    not leak into qrels. Where several rules meet: a planted check never enters; then gold as the policy says; then the
    adjudicator; then the judgments. Machine judges play no part, unless the policy counts them.
    """
    if policy.count_machines and inputs.machines is not None:
        return of_people(_applied(with_machines(inputs), policy), inputs)
    return _applied(inputs, policy)


@dataclass(eq=False)
class _Decided:
    """(n_pairs,) each, pairs by ascending `key`; what one rule has written, a later one may overrule."""

    key: Ints
    grade: Ints
    confidence: Floats
    source: Ints
    reason: Ints

    def take(self, pairs: Gold | Adjudications, key: Ints, source: Source) -> None:
        """The grade of each of these pairs, with their keys, is somebody's word."""
        index, is_here = find(key, self.key)
        at = index[is_here]
        self.grade[at], self.confidence[at] = pairs.grade[is_here], 1.0
        self.source[at], self.reason[at] = source, Reason.KEPT


def _applied(inputs: Inputs, policy: Policy) -> Outcome:
    table, gold, key = inputs.table, inputs.gold, inputs.pairs
    row = inputs.counted(count_not_blind=policy.count_not_blind)
    people = _people(inputs, policy, row)
    votes, counted = inputs.votes(count_not_blind=policy.count_not_blind)
    believed = votes.by(people.believed)
    reliable = spread_of(believed)
    is_gold = find(key, table.keys_of(gold))[1]
    decided = _by_judgments(inputs, policy, believed, reliable)
    _overrule(decided, inputs, policy, is_gold)
    return Outcome(
        *table.split_key(key),
        kept=decided.reason == Reason.KEPT,
        grade=decided.grade,
        confidence=decided.confidence,
        source=decided.source,
        reason=decided.reason,
        gold=is_gold,
        n_judgments=counted.n,
        reliable=reliable,
        counted=counted,
        people=people,
        policy=policy,
        table=table,
    )


def _by_judgments(inputs: Inputs, policy: Policy, believed: Votes, reliable: Spread) -> _Decided:
    """Steps 3 to 5. A pair that drops has the bottom grade and no confidence; they mean nothing."""
    known_gold = _known(inputs, policy)
    consolidated = CONSOLIDATORS[policy.consolidation](believed, inputs.scale, known_gold)
    reason = filter_pairs(reliable, min_judgments=policy.min_judgments, max_range=policy.max_range)
    reason = np.where(reason == Reason.KEPT, consolidated.reason, reason)
    kept = reason == Reason.KEPT
    return _Decided(
        inputs.pairs,
        grade=np.where(kept, consolidated.grade, inputs.scale.bottom),
        confidence=np.where(kept, consolidated.confidence, 0.0),
        source=np.full(len(reason), Source.JUDGED, dtype=np.int64),
        reason=reason,
    )


def _overrule(decided: _Decided, inputs: Inputs, policy: Policy, is_gold: Bools) -> None:
    """Step 6, then gold as the policy says, then attention checks: the last word comes last."""
    table, gold, adjudications = inputs.table, inputs.gold, inputs.adjudications
    decided.take(adjudications, table.keys_of(adjudications), Source.ADJUDICATED)
    if policy.gold_pairs == "expert":
        decided.take(gold, table.keys_of(gold), Source.EXPERT)
    elif policy.gold_pairs == "omitted":
        decided.reason[is_gold] = Reason.GOLD_OMITTED
    decided.reason[np.isin(decided.key, table.pair[table.purpose == Purpose.CHECK])] = Reason.CHECK


def _people(inputs: Inputs, policy: Policy, row: Ints) -> People:
    table = inputs.table
    accuracy = inputs.accuracy
    standing = standing_of(accuracy, min_gold=policy.min_gold, threshold=policy.accuracy_threshold)
    out = excluded_mask(table, inputs.excluded)
    trusted = (standing == Standing.RELIABLE) | (policy.count_unproven & (standing == Standing.UNPROVEN))
    n_counted = tally(table.annotator[row], len(table.annotators))
    return People(accuracy, standing, out, trusted & ~out, n_counted)


def _known(inputs: Inputs, policy: Policy) -> Known:
    """Gold that the policy takes as known; where it takes gold "as judged", only everybody's accuracy."""
    gold, accuracy = inputs.gold, inputs.accuracy
    index, is_here = find(inputs.table.keys_of(gold), inputs.pairs)
    taken = is_here & gold.accepted.any(axis=1) & (policy.gold_pairs != "judged")
    return Known(index[taken], gold.accepted[taken], accuracy.n_gold, accuracy.n_correct)
