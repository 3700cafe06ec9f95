"""All ways to choose pairs, and by what the runs are valued afterwards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluation.engine.adaptive.candidates import Candidates, Choice
from evaluation.engine.adaptive.depth import next_by_depth
from evaluation.engine.adaptive.fused import next_by_fused
from evaluation.engine.adaptive.max_mean import next_by_max_mean
from evaluation.engine.adaptive.move_to_front import next_by_move_to_front
from evaluation.engine.adaptive.separating import next_separating
from evaluation.engine.adaptive.stratified import next_stratified
from evaluation.engine.arrays import Ints

# How runs are valued: unjudged documents count as not relevant; the sampled measures; a sample with the regression's
# error taken off; expected grades where there is no judged one.
Valuing: TypeAlias = Literal["zero", "sampled", "assisted", "expected"]


@dataclass(frozen=True)
class Method:
    """`choose(candidates, grade, n, choice)` gives up to n pairs, the most useful first."""

    name: str
    title: str
    choose: Callable[[Candidates, Ints, int, Choice], Ints]
    valuing: Valuing = "zero"
    learns: bool = False  # from what is judged
    draws: bool = True  # anything at random

    @property
    def is_sample(self) -> bool:
        """Its judgments are a random sample with known inclusion probabilities."""
        return self.valuing in ("sampled", "assisted")


METHODS: Mapping[str, Method] = {
    one.name: one
    for one in (
        Method("depth", "depth-k", next_by_depth),
        Method("rrf", "fused order", next_by_fused, draws=False),
        Method("move-to-front", "move to front", next_by_move_to_front, learns=True),
        Method("max-mean", "max-mean bandit", next_by_max_mean, learns=True),
        Method("stratified", "stratified sample", next_stratified, "sampled"),
        Method("assisted", "regression-assisted sample", next_stratified, "assisted"),
        Method("separating", "separating, with regression", next_separating, "expected", learns=True),
    )
}


def methods_named(names: list[str]) -> list[Method]:
    """Each once, in the order of the names. Raises `ValueError` for one that there is not."""
    for name in names:
        if name not in METHODS:
            raise ValueError(f"there is no method {name!r}: {', '.join(METHODS)}")
    return [METHODS[name] for name in dict.fromkeys(names)]
