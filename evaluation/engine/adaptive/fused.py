"""The fused order of the runs: what many runs rank high comes first."""

from evaluation.engine.adaptive.candidates import Candidates, Choice, in_turns
from evaluation.engine.arrays import Ints


def next_by_fused(candidates: Candidates, grade: Ints, n: int, _choice: Choice) -> Ints:
    """Up to `n` open pairs by descending Σ 1 / (60 + rank), topics in turns. Nothing is drawn, nothing learnt.

    Cormack, Clarke and Büttcher, Reciprocal rank fusion, SIGIR 2009.
    """
    return in_turns(candidates, grade, candidates.fused, n)
