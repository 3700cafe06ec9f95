"""Changes of how judgments become grades: whom to believe, which pairs to keep, how several grades become one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from annotation.quality.consolidation import CONSOLIDATORS
from annotation.quality.policy import Policy
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.kinds.kind import Cases, Kind

ACCURACIES = (0.6, 0.8)
RANGES = (0, 1, 2)
LEAST_JUDGMENTS = (1, 2, 3)


def other_policies(policy: Policy, named: Mapping[str, Policy], *, has_gold: bool) -> dict[str, Policy]:
    """Those named and, where gold tells whom to believe, the same one with others believed."""
    believed = {"everybody believed": replace(policy, accuracy_threshold=0.0, count_unproven=True)}
    if has_gold:
        believed |= {f"accuracy {each:g} or more": replace(policy, accuracy_threshold=each) for each in ACCURACIES}
    return _without(policy, {**named, **believed})


def other_filters(policy: Policy) -> dict[str, Policy]:
    """The same policy with other limits to the grades of a pair that is kept."""
    ranges = {f"grades at most {each} apart": replace(policy, max_range=each) for each in RANGES}
    least = {f"{n} judgment{'s' * (n > 1)} or more": replace(policy, min_judgments=n) for n in LEAST_JUDGMENTS}
    return _without(policy, {"grades any distance apart": replace(policy, max_range=None), **ranges, **least})


def other_consolidators(policy: Policy) -> dict[str, Policy]:
    """The same policy with every other rule by which several grades become one."""
    return _without(policy, {rule: replace(policy, consolidation=rule) for rule in CONSOLIDATORS})


def _without(policy: Policy, policies: Mapping[str, Policy]) -> dict[str, Policy]:
    return {name: other for name, other in policies.items() if other != policy}


def _named(policy: Policy, context: StudyContext) -> Mapping[str, Policy]:
    has_gold = len(context.judgments.inputs.gold) > 0
    return other_policies(policy, context.evidence.policies, has_gold=has_gold)


def _cases(others: Callable[[Policy, StudyContext], Mapping[str, Policy]], context: StudyContext) -> Cases:
    """Pairs that a policy drops are not judged under it."""
    policies = others(context.judgments.policy, context)
    return list(policies), context.ready_runs.means(context.judgments.under(policies.values()))


POLICIES = Kind("policies", "another policy", partial(_cases, _named))
FILTERS = Kind("filters", "another filter of pairs", partial(_cases, lambda policy, _: other_filters(policy)))
CONSOLIDATION = Kind(
    "consolidators", "another consolidator", partial(_cases, lambda policy, _: other_consolidators(policy))
)
