"""The best possible ranking of each topic, all judged documents by descending grade, summed up rank by rank."""

from collections.abc import Callable

from evaluation.engine.arrays import Floats
from evaluation.engine.judged import Judged


def ideal_running_sum(judged: Judged, value: Floats) -> Floats:
    """Sum of a value over the ideal rows of the topic up to and with each. (n_pairs,)"""
    return _scan(judged, value, lambda a, b: a + b)


def ideal_running_product(judged: Judged, value: Floats) -> Floats:
    """Product of a value over the ideal rows of the topic up to and with each. (n_pairs,)"""
    return _scan(judged, value, lambda a, b: a * b)


def ideal_before(judged: Judged, value: Floats, first: float) -> Floats:
    """The value of the ideal row above in the same topic, `first` for a topic's first row. (n_pairs,)"""
    back = judged.backend.back(judged.ideal.n_rows, 1)
    return judged.where(back >= judged.ideal.begin, value[back], first)


def at_ideal_rank(judged: Judged, value: Floats) -> Floats:
    """For each found row the value of the ideal row at the same rank; of the last, where there are fewer. (n_found,)

    `value` is the same for all runs, (n_pairs,).
    """
    n_pairs = judged.ideal_total(judged.ideal_rank > 0)
    start = judged.backend.running(n_pairs) - n_pairs
    topic = judged.topic % (judged.n_topics // judged.n_alike)
    place = judged.minimum(judged.rank, n_pairs[topic])
    return value[judged.backend.index(start[topic] + place - 1.0)]


def _scan(judged: Judged, value: Floats, combine: Callable[[Floats, Floats], Floats]) -> Floats:
    """As for found rows: log2(longest topic) steps, each on all rows at once."""
    step = 1
    while step < judged.ideal.longest:
        back = judged.backend.back(judged.ideal.n_rows, step)
        value = judged.where(back >= judged.ideal.begin, combine(value[back], value), value)
        step *= 2
    return value
