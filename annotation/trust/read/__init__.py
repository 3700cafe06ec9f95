"""Queries of this subject: the only place where its rows are read for others."""

from annotation.trust.read.comparison import ComparedPolicy, compare_on, trials
from annotation.trust.read.dropped import DroppedPairs, ReasonCount, dropped_by_reason
from annotation.trust.read.gold_effect import Effect, Touched, effect_of, freed_now
from annotation.trust.read.judgments import decisions, policy_inputs, scale_of
from annotation.trust.read.policies import (
    default_parameters,
    default_policy,
    parameters_of,
    policies_of,
    policy_named,
    unsaved_default,
)
from annotation.trust.read.snapshots import frozen_outcome, pairs_path, qrels_path, snapshots_of
from annotation.trust.read.withheld import judged_batches, withheld_pairs

__all__ = [
    "ComparedPolicy",
    "DroppedPairs",
    "Effect",
    "ReasonCount",
    "Touched",
    "compare_on",
    "decisions",
    "default_parameters",
    "default_policy",
    "dropped_by_reason",
    "effect_of",
    "freed_now",
    "frozen_outcome",
    "judged_batches",
    "pairs_path",
    "parameters_of",
    "policies_of",
    "policy_inputs",
    "policy_named",
    "qrels_path",
    "scale_of",
    "snapshots_of",
    "trials",
    "unsaved_default",
    "withheld_pairs",
]
