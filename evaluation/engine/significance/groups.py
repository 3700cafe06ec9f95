"""What tests of all pairs of runs say of their order: groups of runs not told apart, and the ranks each may have.

`better` is (n_runs, n_runs): whether the run of the row was told apart from that of the column, and
is the better one.
"""

import string
from collections.abc import Iterator, Sequence

import numpy as np

from evaluation.engine.arrays import Bools
from evaluation.engine.significance.pairs import Pairs

Group = tuple[int, ...]
LETTERS = string.ascii_lowercase  # of as many groups as anybody reads


def better_than(pairs: Pairs, *, alpha: float) -> Bools:
    """(n_runs, n_runs): adjusted p ≤ `alpha`, and the mean difference above 0. Tests of all pairs are needed."""
    better: Bools = np.zeros((pairs.n_runs, pairs.n_runs), np.bool_)
    apart = pairs.adjusted <= alpha
    better[pairs.first, pairs.second] = apart & (pairs.mean_difference > 0)
    better[pairs.second, pairs.first] = apart & (pairs.mean_difference < 0)
    return better


def rank_ranges(better: Bools) -> list[tuple[int, int]]:
    """Of each run the best and the worst rank that the tests leave it; 1 is the best.

    1 + how many runs are better, and n_runs − how many are worse. Where the tests hold the chance of any false finding
    at alpha, all true ranks lie in their ranges at once with a chance of 1 − alpha; of runs that are truly equal each
    has all the ranks that they share.

    Al Mohamad, Goeman and van Zwet, Simultaneous confidence intervals for ranks with application to ranking
    institutions, Biometrics 78, 2022.
    """
    above, below = better.sum(axis=0), better.sum(axis=1)
    return [(1 + int(n_above), len(better) - int(n_below)) for n_above, n_below in zip(above, below, strict=True)]


def groups_of(better: Bools, *, most: int = len(LETTERS)) -> list[Group] | None:
    """The largest sets of runs of which no two were told apart, runs ascending; None where there are more than `most`.

    Each run is in one group at least; two runs share a group if and only if they were not told apart. Tests of one
    range (Tukey) give at most n_runs groups, others may give very many.

    Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, JCGS 13, 2004; the sets are the
    maximal cliques, listed as in Bron and Kerbosch, Algorithm 457, CACM 16, 1973.
    """
    alike = ~(better | better.T)
    np.fill_diagonal(alike, val=False)
    neighbours = [frozenset(np.flatnonzero(row).tolist()) for row in alike]
    groups: list[Group] = []
    for group in _cliques(neighbours):
        if len(groups) == most:
            return None
        groups.append(group)
    return sorted(groups)


def letters_of(groups: Sequence[Group], n_runs: int) -> list[str]:
    """The compact letter display: of each run the letters of its groups, the first group being a."""
    return ["".join(LETTERS[at] for at, group in enumerate(groups) if run in group) for run in range(n_runs)]


def _cliques(neighbours: Sequence[frozenset[int]]) -> Iterator[Group]:
    """With a pivot; a stack of its own, for there may be more runs than Python calls."""
    stack: list[tuple[Group, frozenset[int], frozenset[int]]] = [((), frozenset(range(len(neighbours))), frozenset())]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            yield tuple(sorted(clique))
            continue
        pivot = max(candidates | excluded, key=lambda run: len(neighbours[run] & candidates))
        for run in sorted(candidates - neighbours[pivot]):
            near = neighbours[run]
            stack.append(((*clique, run), candidates & near, excluded & near))
            candidates, excluded = candidates - {run}, excluded | {run}
