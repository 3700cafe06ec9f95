"""How often each rule takes good people for bad ones, in words, under the settings that a collection has."""

from dataclasses import dataclass

from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Collection
from annotation.quality.policy import Policy
from annotation.quality.trust.rule_errors import FEW, SHOWN, WITHIN, UnreliableShares, fast_share, unreliable_shares
from annotation.quality.trust.rules import PauseRules
from annotation.trust.pages.watch import percent, rates_in_short
from annotation.trust.read.policies import default_parameters
from annotation.trust.read.proposals import rules_of
from annotation.trust.read.watch import watch_settings

SPREADS = (2.0, 2.5, 3.0, 4.0)


@dataclass(frozen=True)
class AccuracyRow:
    """People of a true accuracy: the share found unreliable at the first look, and within so many golds."""

    rate: str
    first: str
    within: tuple[str, ...]


@dataclass(frozen=True)
class RuleErrors:
    """`speed`: spreads, and the share of people at the usual pace that lies beyond them by chance, of very many; `few`:
    how many people are compared, and the same share at the spreads chosen."""

    watch: str
    threshold: float
    min_gold: int
    accuracy: list[AccuracyRow]
    within: tuple[int, ...]
    speed: list[tuple[str, str]]
    few: list[tuple[int, str]]
    speed_spreads: str
    speed_answers: int  # timed answers from which speed is looked at


def rule_errors(collection: Collection) -> RuleErrors:
    policy, rules = default_parameters(collection), rules_of(collection)
    return RuleErrors(
        watch=rates_in_short(watch_settings(collection)),
        threshold=policy.accuracy_threshold,
        min_gold=max(policy.min_gold, 1),
        accuracy=[
            AccuracyRow(f"{row.rate:.2f}", percent(row.first), tuple(percent(share) for share in row.within))
            for row in _unreliable(policy)
        ],
        within=WITHIN,
        speed=[(f"{spreads:g}", percent(share)) for spreads, share in _speed(collection)],
        few=[(n, percent(fast_share(n, rules.speed_spreads))) for n in FEW],
        speed_spreads=f"{rules.speed_spreads:g}",
        speed_answers=rules.speed_answers,
    )


def _accuracy_errors(collection: Collection) -> list[tuple[float, int, float]]:
    """True rate, golds judged, share found unreliable at that look or at one before."""
    policy = default_parameters(collection)
    first = max(policy.min_gold, 1)
    looks = [first, *(max(n, first) for n in WITHIN)]
    return [
        (row.rate, golds, share)
        for row in _unreliable(policy)
        for golds, share in zip(looks, (row.first, *row.within), strict=True)
    ]


def _speed_errors(collection: Collection) -> list[tuple[float, float, int | None]]:
    """Spreads, share beyond them by chance, people compared: None for very many."""
    speed = _speed(collection)
    many: list[tuple[float, float, int | None]] = [(spreads, share, None) for spreads, share in speed]
    return many + [(spreads, fast_share(n, spreads), n) for spreads, _ in speed for n in FEW]


def _unreliable(policy: Policy) -> list[UnreliableShares]:
    return unreliable_shares(threshold=policy.accuracy_threshold, min_gold=policy.min_gold, rates=SHOWN)


def _speed(collection: Collection) -> list[tuple[float, float]]:
    """Spreads, those chosen among them, with the share beyond them by chance."""
    spreads = sorted({*SPREADS, rules_of(collection).speed_spreads})
    return [(each, PauseRules(speed_spreads=each).speed_by_chance) for each in spreads]


ACCURACY_ERRORS: Table[Collection, tuple[float, int, float]] = Table(
    (
        Column("true_rate", lambda row: row[0], Kind.NUMBER),
        Column("golds", lambda row: row[1], Kind.WHOLE),
        Column("found_unreliable", lambda row: row[2], Kind.NUMBER),
    ),
    _accuracy_errors,
)

SPEED_ERRORS: Table[Collection, tuple[float, float, int | None]] = Table(
    (
        Column("spreads", lambda row: row[0], Kind.NUMBER),
        Column("by_chance", lambda row: row[1], Kind.NUMBER),
        Column("people", lambda row: row[2], Kind.WHOLE),
    ),
    _speed_errors,
)
