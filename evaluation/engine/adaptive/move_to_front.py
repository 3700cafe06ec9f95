"""Move to front: stay with a run as long as it brings relevant documents."""

from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, Choice, best_of_runs, in_turns, noise
from evaluation.engine.arrays import Ints


def next_by_move_to_front(candidates: Candidates, grade: Ints, n: int, choice: Choice) -> Ints:
    """Up to `n` open pairs, topics in turns: the next document of the run with the fewest nonrelevant ones so far.

    In each topic a run loses its place with every document of it that was judged and is not relevant, whichever run it
    was judged for; equal runs in random order. The paper's method, as a function of what is judged: it keeps no queue.

    Cormack, Palmer and Clarke, Efficient construction of large test collections, SIGIR 1998.
    """
    is_bad = (grade != UNJUDGED) & (grade < choice.rel)
    n_bad = candidates.totals(candidates.has_rank * is_bad[:, None])
    merit = -n_bad + noise(candidates, choice, *n_bad.shape)
    return in_turns(candidates, grade, best_of_runs(candidates, merit), n)
