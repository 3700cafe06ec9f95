"""How long a replay takes, roughly, before it begins: what would take a worker for hours is refused."""

import math
from collections.abc import Mapping, Sequence

from evaluation.engine.adaptive.candidates import Candidates
from evaluation.engine.adaptive.methods import Method

MOST_SECONDS = 1800.0  # of a replay that is asked of a worker
N_VALUED = 10  # times that a draw values the runs: budgets
# Of one core of a busy machine: a pair in a run that is looked at, and a product of a regression or a covariance.
CELL, PRODUCT = 2e-8, 2e-10  # seconds


def replay_seconds(
    methods: Sequence[Method], n_draws: Mapping[str, int], *, n_pairs: int, n_runs: int, n_topics: int
) -> float:
    """Of so many draws of each method, by name, from a pool of so many pairs. Right to a factor of two or so: a method
    that learns looks at all pairs in all runs once for each portion, one with a regression solves it besides."""
    return sum(n_draws[one.name] * _seconds_of(one, n_pairs, n_runs, n_topics) for one in methods)


def check_length(
    methods: Sequence[Method], n_draws: Mapping[str, int], pool: Candidates, *, most_seconds: float
) -> None:
    """Raise `ValueError` for what would take longer."""
    n_pairs = int(pool.is_pooled.sum())
    seconds = replay_seconds(methods, n_draws, n_pairs=n_pairs, n_runs=len(pool.tags), n_topics=pool.n_topics)
    if seconds > most_seconds:
        raise ValueError(
            f"{sum(n_draws.values()):,} draws from {n_pairs:,} pairs of {len(pool.tags)} runs would take some "
            f"{math.ceil(seconds / 60):,} minutes, and {most_seconds / 60:g} are the most: choose fewer runs, ways or "
            "draws, or a smaller depth"
        )


def _seconds_of(method: Method, n_pairs: int, n_runs: int, n_topics: int) -> float:
    n_steps = math.ceil(n_pairs / n_topics) if method.learns else 0
    seconds = CELL * n_pairs * n_runs * (n_steps + N_VALUED)
    if method.valuing in ("assisted", "expected"):
        n_solved = N_VALUED + n_steps * (method.valuing == "expected")
        seconds += PRODUCT * n_solved * (n_pairs + n_runs + n_topics) * (n_runs + n_topics) ** 2
    return seconds
