"""The policy, applied: judgment table, gold, exclusions and adjudications → outcome.

The same inputs give the same outcome to the last bit, in whatever order the rows of the table stand.
"""

import numpy as np

from annotation.quality.adjudications import Adjudications
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.consolidation import CONSOLIDATORS, Consolidated, Known
from annotation.quality.counted import excluded_mask
from annotation.quality.filtering import Reason, filter_pairs
from annotation.quality.gold import Gold
from annotation.quality.inputs import Inputs
from annotation.quality.machines.joined import of_people, with_machines
from annotation.quality.outcome import Outcome, People, Source
from annotation.quality.pairs import find
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.standing import Standing, standing_of
from annotation.quality.votes import Votes, spread_of


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


def _applied(inputs: Inputs, policy: Policy) -> Outcome:
    table, gold, scale = inputs.table, inputs.gold, inputs.scale
    row = inputs.counted(count_not_blind=policy.count_not_blind)
    people = _people(inputs, policy, row)
    key = inputs.pairs
    votes = Votes(np.searchsorted(key, table.pair[row]), table.annotator[row], table.grade[row], len(key))
    believed = votes.by(people.believed)
    reliable, counted = spread_of(believed), spread_of(votes)

    reason = filter_pairs(reliable, min_judgments=policy.min_judgments, max_range=policy.max_range)
    told = _told(inputs, policy, key, people)
    made = CONSOLIDATORS[policy.consolidation](believed, scale, told)
    reason = np.where(reason == Reason.KEPT, made.reason, reason)
    grade, confidence = _where(reason == Reason.KEPT, made, scale)
    source = np.full(len(key), Source.JUDGED, dtype=np.int64)
    known = find(key, table.pair_key(gold.topic, gold.document))[1]

    def decide(pairs: Gold | Adjudications, by: Source) -> None:
        place, found = find(table.pair_key(pairs.topic, pairs.document), key)
        at = place[found]
        grade[at], confidence[at], source[at], reason[at] = pairs.grade[found], 1.0, by, Reason.KEPT

    decide(inputs.adjudications, Source.ADJUDICATED)
    if policy.gold_pairs == "expert":
        decide(gold, Source.EXPERT)
    elif policy.gold_pairs == "omitted":
        reason[known] = Reason.GOLD_OMITTED
    reason[np.isin(key, table.pair[table.purpose == Purpose.CHECK])] = Reason.CHECK

    return Outcome(
        *table.split_key(key),
        kept=reason == Reason.KEPT,
        grade=grade,
        confidence=confidence,
        source=source,
        reason=reason,
        gold=known,
        n_judgments=counted.n,
        reliable=reliable,
        counted=counted,
        people=people,
        policy=policy,
        table=table,
    )


def _people(inputs: Inputs, policy: Policy, row: Ints) -> People:
    table = inputs.table
    accuracy = inputs.accuracy
    standing = standing_of(accuracy, min_gold=policy.min_gold, threshold=policy.accuracy_threshold)
    out = excluded_mask(table, inputs.excluded)
    trusted = (standing == Standing.RELIABLE) | (policy.count_unproven & (standing == Standing.UNPROVEN))
    n_counted = np.bincount(table.annotator[row], minlength=len(table.annotators)).astype(np.int64)
    return People(accuracy, standing, out, trusted & ~out, n_counted)


def _told(inputs: Inputs, policy: Policy, key: Ints, people: People) -> Known:
    """Gold that the policy takes as known; where it takes gold "as judged", only everybody's accuracy."""
    gold = inputs.gold
    place, found = find(inputs.table.pair_key(gold.topic, gold.document), key)
    found = found & gold.accepted.any(axis=1) & (policy.gold_pairs != "judged")
    return Known(place[found], gold.accepted[found], people.accuracy.n_gold, people.accuracy.n_correct)


def _where(kept: Bools, made: Consolidated, scale: Scale) -> tuple[Ints, Floats]:
    return np.where(kept, made.grade, scale.bottom), np.where(kept, made.confidence, 0.0)
