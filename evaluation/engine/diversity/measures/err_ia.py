"""ERR-IA: expected reciprocal rank, expected over intents."""

import math
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import Cut
from evaluation.engine.user_models import satisfying, stopping


@dataclass(frozen=True, kw_only=True)
class Stopping(DiversityMeasure):
    """A user who wants one intent reads from the top and stops at a document with the chance that it satisfies.

    `gains='binary'`: a relevant document satisfies with the chance `alpha`; `gains='exp'`: a document of grade g with
    (2^g − 1) / 2^top.
    """

    gains: str = "binary"
    alpha: float = 0.5

    cut: ClassVar[Cut] = "may"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.refuse_outside("alpha", 0, 1)
        if self.alpha == 0:
            raise ValueError(f"the parameter alpha of {self.family} is above 0: somebody has to stop")
        if self.gains not in ("binary", "exp"):
            raise ValueError(f"the gains of {self.family} are 'binary' or 'exp', not {self.gains!r}")

    def chance(self, grade: int, top: int) -> float:
        """That a document of this grade satisfies."""
        if self.gains == "binary":
            return self.alpha if grade >= self.rel else 0.0
        return satisfying(grade, top)

    def reciprocal_rank(self, intents: Intents) -> Floats:
        """The expectation of one over the rank at which the user of each intent stops. (n_intents,)"""
        each = intents.each
        chance = each.where(each.rank <= self.depth, each.by_grade(lambda g: self.chance(g, intents.top_grade)), 0.0)
        return each.total(stopping(each, chance) / each.rank)


@dataclass(frozen=True, kw_only=True)
class ERRIA(Stopping):
    """The mean over intents, weighted by their probabilities, of ERR: Σ 1/r · chance to stop at rank r.

    `norm='all'` (ndeval, ir_measures) divides by what a ranking would have whose every document is of the top grade for
    every intent, up to the same cutoff; `norm='none'` is the expectation itself, as the paper has it. At a cutoff of 1
    ndeval forgets to divide. Nothing relevant: 0.

    Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009; Chapelle, Ji, Liao,
    Velipasaoglu, Lai and Wu, Intent-based diversification of web search results, Information Retrieval 14, 2011.
    """

    norm: str = "all"

    family: ClassVar[str] = "ERR_IA"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.norm not in ("all", "none"):
            raise ValueError(f"the norm of {self.family} is 'all' or 'none', not {self.norm!r}")

    def over_intents(self, intents: Intents) -> Floats:
        value = intents.expected(self.reciprocal_rank(intents), self.rel)
        return value if self.norm == "none" else value / self._most(intents.top_grade)

    def _most(self, top: int) -> float:
        chance = self.chance(max(top, self.rel), top)
        if chance == 1.0:
            return 1.0
        if self.cutoff is None:  # Σ x^(r − 1) / r over all r is −ln(1 − x) / x
            return -math.log(chance) * chance / (1.0 - chance)
        return math.fsum(chance * (1.0 - chance) ** (r - 1) / r for r in range(1, int(self.cutoff) + 1))
