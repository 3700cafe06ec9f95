"""A policy: every step from judgments to qrels as a named parameter. The defaults are the default policy."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Self

from annotation.quality.consolidation import CONSOLIDATORS

GOLD_PAIRS = ("expert", "judged", "omitted")
# What each parameter is, as it is chosen and shown.
PARAMETER_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "min_gold": "Gold judgments before a person is proven",
        "accuracy_threshold": "Accuracy from which a person is reliable",
        "count_unproven": "Count people with too little gold",
        "count_not_blind": "Count people who could see gold",
        "min_judgments": "Reliable judgments a pair needs",
        "max_range": "Largest difference of grades on a kept pair",
        "consolidation": "Several judgments become one grade by",
        "gold_pairs": "Gold pairs are taken",
        "count_machines": "Count machine judges like people",
    }
)
# Parameters that came after policies were stored and frozen: what is said nowhere is as it was. Never changed.
LATER: Mapping[str, object] = MappingProxyType({"count_machines": False})


class PolicyError(ValueError):
    """A parameter that cannot be; `field` names it (empty: the policy as a whole)."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}" if field else reason)


@dataclass(frozen=True)
class Policy:
    """Raises `PolicyError`, which names the field, for a value that cannot be."""

    min_gold: int = 10  # gold judgments before a person is proven
    accuracy_threshold: float = 0.7  # share right on gold from which a person is reliable, 0..1
    count_unproven: bool = False  # believe people with too little gold, too
    count_not_blind: bool = False  # count people who could see the gold
    min_judgments: int = 2  # reliable judgments a pair needs
    max_range: int | None = 1  # largest max − min of a kept pair; None: no limit
    consolidation: str = "median"  # one of `CONSOLIDATORS`
    gold_pairs: str = "expert"  # one of `GOLD_PAIRS`: what becomes of pairs whose grade is known
    count_machines: bool = False  # count machine judges like people

    def __post_init__(self) -> None:
        _check_types(self)
        _check(self, "min_gold", "must not be below 0", self.min_gold >= 0)
        _check(self, "accuracy_threshold", "must lie in 0 to 1", 0 <= self.accuracy_threshold <= 1)
        _check(self, "min_judgments", "must be at least 1", self.min_judgments >= 1)
        _check(self, "max_range", "must not be below 0", self.max_range is None or self.max_range >= 0)
        _check(self, "consolidation", f"must be one of {_listed(CONSOLIDATORS)}", self.consolidation in CONSOLIDATORS)
        _check(self, "gold_pairs", f"must be one of {_listed(GOLD_PAIRS)}", self.gold_pairs in GOLD_PAIRS)

    def to_json(self) -> str:
        """Canonical: sorted keys, no spaces, numbers in their shortest spelling. Equal policies, equal text.

        A parameter of `LATER` stands there only where it is not as it always was.
        """
        parameters = {name: value for name, value in asdict(self).items() if name not in LATER or value != LATER[name]}
        return json.dumps(parameters, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Every parameter must be there, but those of `LATER`, and no other. Raises `PolicyError`."""
        try:
            parameters = json.loads(text)
        except ValueError as error:
            raise PolicyError("", f"not JSON: {error}") from error
        if not isinstance(parameters, dict):
            raise PolicyError("", "a JSON object is expected")
        names = {field.name for field in fields(cls)}
        for name in sorted((parameters.keys() ^ names) - (LATER.keys() - parameters.keys())):
            raise PolicyError(name, "is missing" if name in names else "is no parameter of a policy")
        return cls(**parameters)

    @property
    def sha256(self) -> str:
        """The identity of the policy: 64 hex digits over its canonical JSON."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


def _check_types(policy: Policy) -> None:
    for name in ("min_gold", "min_judgments", "max_range"):
        value = getattr(policy, name)
        whole = isinstance(value, int) and not isinstance(value, bool)
        _check(policy, name, "must be a whole number", whole or (name == "max_range" and value is None))
    for name in ("count_unproven", "count_not_blind", "count_machines"):
        _check(policy, name, "must be true or false", isinstance(getattr(policy, name), bool))
    threshold = policy.accuracy_threshold
    number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    _check(policy, "accuracy_threshold", "must be a number", number)
    object.__setattr__(policy, "accuracy_threshold", float(threshold))


def _check(policy: Policy, name: str, reason: str, holds: bool) -> None:  # noqa: FBT001
    if not holds:
        raise PolicyError(name, f"{reason}, not {getattr(policy, name)!r}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
