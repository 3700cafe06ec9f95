"""Max-mean bandit: the next document of the run whose judged documents are the best on average."""

from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, Choice, best_of_runs, in_turns, noise
from evaluation.engine.arrays import Ints

RANDOM = 1e-9  # below any difference of two means


def next_by_max_mean(candidates: Candidates, grade: Ints, n: int, choice: Choice) -> Ints:
    """Up to `n` open pairs, topics in turns: of the run with the greatest mean (1 + Σ x) / (2 + judged), its next.

    In each topic a run is an arm, x is a judged document's grade over the top grade, the prior is Beta(1, 1); equal
    arms in random order. Documents count for every run that has them, not only for the one that was pulled. With two
    grades it is the paper's MaxMean but for that.

    Losada, Parapar and Barreiro, Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based
    evaluation, SAC 2016.
    """
    judged = grade != UNJUDGED
    gain = candidates.totals(candidates.has_rank * (judged * grade / choice.top)[:, None])
    n_judged = candidates.totals(candidates.has_rank * judged[:, None])
    merit = (1 + gain) / (2 + n_judged) + RANDOM * noise(candidates, choice, *gain.shape)
    return in_turns(candidates, grade, best_of_runs(candidates, merit), n)
