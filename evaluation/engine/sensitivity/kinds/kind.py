"""What a kind of change declares of itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evaluation.engine.arrays import Floats
from evaluation.engine.sensitivity.context import StudyContext

# Names of cases and their means, (n_cases, n_runs); drawn cases have no names. A `ValueError` says why there are none.
Cases: TypeAlias = tuple[Sequence[str], Floats]


@dataclass(frozen=True)
class Kind:
    """`name` is stored in results; `words` is how people read it: what is done to judgments, pool or topics."""

    name: str
    words: str
    cases: Callable[[StudyContext], Cases]
