"""The best possible ranking of each topic, all judged documents by descending grade, summed up rank by rank."""

from operator import add, mul

from evaluation.engine.arrays import Floats
from evaluation.engine.rankings import Rankings
from evaluation.engine.rows import previous, scan


def ideal_running_sum(rankings: Rankings, value: Floats) -> Floats:
    """Sum of a value over the ideal rows of the topic up to and with each. (n_pairs,)"""
    return scan(rankings.ideal, value, add, rankings.backend)


def ideal_running_product(rankings: Rankings, value: Floats) -> Floats:
    """Product of a value over the ideal rows of the topic up to and with each. (n_pairs,)"""
    return scan(rankings.ideal, value, mul, rankings.backend)


def ideal_before(rankings: Rankings, value: Floats, first: float) -> Floats:
    """The value of the ideal row above in the same topic, `first` for a topic's first row. (n_pairs,)"""
    return previous(rankings.ideal, value, first, rankings.backend)


def at_ideal_rank(rankings: Rankings, value: Floats) -> Floats:
    """For each found row the value of the ideal row at the same rank; of the last, where there are fewer. (n_found,)

    `value` is the same for all runs, (n_pairs,).
    """
    n_pairs = rankings.ideal_total(rankings.ideal_rank > 0)
    start = rankings.backend.running(n_pairs) - n_pairs
    topic = rankings.topic % (rankings.n_topics // rankings.n_alike)
    ideal_rank = rankings.minimum(rankings.rank, n_pairs[topic])
    return value[rankings.backend.index(start[topic] + ideal_rank - 1.0)]
