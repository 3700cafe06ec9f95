"""How often each rule takes good people for bad ones, in words, under the settings that a collection has."""

from dataclasses import dataclass

from annotation.models import Collection
from annotation.quality.trust.rules import SHOWN, WITHIN, PauseRules, found_unreliable
from annotation.queries.policies import default_parameters
from annotation.queries.quality.proposals import rules_of
from annotation.queries.quality.watch import percent, rates_in_short, watch_settings

SPREADS = (2.0, 2.5, 3.0, 4.0)


@dataclass(frozen=True)
class AccuracyRow:
    """People of a true accuracy: the share found unreliable at the first look, and within so many golds."""

    rate: str
    first: str
    within: tuple[str, ...]


@dataclass(frozen=True)
class RuleErrors:
    """`speed`: spreads, and the share of people at the usual pace that lies beyond them by chance."""

    watch: str
    threshold: float
    min_gold: int
    accuracy: list[AccuracyRow]
    within: tuple[int, ...]
    speed: list[tuple[str, str]]
    speed_answers: int  # timed answers from which speed is looked at


def rule_errors(collection: Collection) -> RuleErrors:
    policy, rules = default_parameters(collection), rules_of(collection)
    found = found_unreliable(threshold=policy.accuracy_threshold, min_gold=policy.min_gold, rates=SHOWN)
    return RuleErrors(
        watch=rates_in_short(watch_settings(collection)),
        threshold=policy.accuracy_threshold,
        min_gold=max(policy.min_gold, 1),
        accuracy=[
            AccuracyRow(f"{row.rate:.2f}", percent(row.first), tuple(percent(share) for share in row.within))
            for row in found
        ],
        within=WITHIN,
        speed=[
            (f"{spreads:g}", percent(PauseRules(speed_spreads=spreads).speed_by_chance))
            for spreads in sorted({*SPREADS, rules.speed_spreads})
        ],
        speed_answers=rules.speed_answers,
    )
