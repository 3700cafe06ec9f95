"""How much a policy keeps, and which milder one would keep more."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import TypeAlias

from annotation.quality.apply import apply_policy
from annotation.quality.filtering import Reason
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.policy import Policy

ENOUGH = 0.5  # a policy that keeps a smaller share of the pairs earns a warning

# What is tried, in this order: each alone, then each on top of those before it.
Relaxation: TypeAlias = Callable[[Policy], Policy]
RELAXATIONS: tuple[Relaxation, ...] = (
    lambda policy: replace(policy, count_unproven=True),
    lambda policy: replace(policy, accuracy_threshold=min(policy.accuracy_threshold, 0.6)),
    lambda policy: replace(policy, accuracy_threshold=min(policy.accuracy_threshold, 0.5)),
    lambda policy: replace(policy, max_range=None if policy.max_range is None else max(policy.max_range, 2)),
    lambda policy: replace(policy, accuracy_threshold=min(policy.accuracy_threshold, 0.4)),
    lambda policy: replace(policy, min_judgments=1),
)
_NOTHING: tuple[Relaxation, ...] = ()


@dataclass(frozen=True)
class Coverage:
    """Of the pairs that judgments or an adjudicator have to decide: no checks and (unless `gold_pairs` is "judged") no
    gold, which is known anyway."""

    kept: int
    total: int

    @property
    def share(self) -> float:
        """0..1; 1 where there is nothing to decide."""
        return self.kept / self.total if self.total else 1.0

    @property
    def enough(self) -> bool:
        return self.share >= ENOUGH


@dataclass(frozen=True)
class Suggestion:
    """A milder policy, what differs in it (parameter → value), and what it would keep."""

    policy: Policy
    changed: dict[str, float | str | None]
    coverage: Coverage


def coverage_of(outcome: Outcome) -> Coverage:
    """How much of what there was to decide is kept."""
    open_pairs = outcome.reason != Reason.CHECK
    if outcome.policy.gold_pairs != "judged":
        open_pairs = open_pairs & ~outcome.gold
    return Coverage(int((outcome.kept & open_pairs).sum()), int(open_pairs.sum()))


def suggest(inputs: Inputs, policy: Policy) -> Suggestion | None:
    """None where the policy keeps enough, or where nothing milder keeps more.

    Otherwise the first milder policy (see `RELAXATIONS`) that keeps enough, or, if none does, the one that keeps most
    (of equals the first); of its changes only those without which it would keep less.
    """
    now = coverage_of(apply_policy(inputs, policy))
    best, most = _NOTHING, now
    for relaxed in _bundles() if not now.enough else ():
        coverage = coverage_of(apply_policy(inputs, _relaxed(policy, relaxed)))
        if coverage.kept > most.kept:
            best, most = relaxed, coverage
        if coverage.enough:
            break
    return _needed(inputs, policy, best, most) if best else None


def changes(before: Policy, after: Policy) -> dict[str, float | str | None]:
    """The parameters in which two policies differ, with the values of the second."""
    old, new = asdict(before), asdict(after)
    return {name: new[name] for name in new if new[name] != old[name]}


def _bundles() -> list[tuple[Relaxation, ...]]:
    """Each alone, then the first two together, the first three, and so on."""
    return [*((relax,) for relax in RELAXATIONS), *(RELAXATIONS[:n] for n in range(2, len(RELAXATIONS) + 1))]


def _relaxed(policy: Policy, bundle: tuple[Relaxation, ...]) -> Policy:
    return reduce(lambda milder, relax: relax(milder), bundle, policy)


def _needed(inputs: Inputs, policy: Policy, bundle: tuple[Relaxation, ...], coverage: Coverage) -> Suggestion:
    """Takes changes back, the greatest first, as long as no fewer pairs are kept."""
    for relax in reversed(bundle):
        fewer = tuple(each for each in bundle if each is not relax)
        without = coverage_of(apply_policy(inputs, _relaxed(policy, fewer)))
        if without.kept >= coverage.kept:
            bundle, coverage = fewer, without
    milder = _relaxed(policy, bundle)
    return Suggestion(milder, changes(policy, milder), coverage)
