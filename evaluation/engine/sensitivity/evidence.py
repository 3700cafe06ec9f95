"""What is studied, and what is asked of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from annotation.quality.policy import Policy
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.sensitivity.judgments import Judgments

JudgmentsAnew: TypeAlias = Literal["annotators", "posterior"]

N_DRAWS = 1_000  # Voorhees' number
POOL_DEPTH = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """The runs and the pairs they are measured by, as they stand; what else there is to vary.

    `pairs` are those of `judgments`, where there are any; `policies` are other ones by name, `others` other qrels.
    """

    runs: Sequence[PackedRun]
    pairs: Qrels
    judgments: Judgments | None = None
    policies: Mapping[str, Policy] = field(default_factory=dict)
    others: Mapping[str, Qrels] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Question:
    """`pool_depth`: how deep a run brought documents to the pool. `groups`: tags or patterns of tags by name. `named`:
    pairs of tags whose shares are asked for; none: neighbours in the order. `judgments_anew`: by annotators left out,
    or by grades from their calibrated probabilities."""

    measure: Measure
    options: Options = DEFAULT_OPTIONS
    pool_depth: int = POOL_DEPTH
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    named: Sequence[tuple[str, str]] = ()
    judgments_anew: JudgmentsAnew = "annotators"
    n_draws: int = N_DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise `ValueError` for a depth and a number of draws below 1."""
        if self.pool_depth < 1 or self.n_draws < 1:
            raise ValueError("the depth of the pool and the number of draws are at least 1")
