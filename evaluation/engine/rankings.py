"""What a measure sees of runs: the judged documents they retrieved, and the whole of what was judged.

Unjudged documents are no rows here; they count through the ranks of the others and through
`n_retrieved`. That is why a run of a thousand documents a topic costs no more than its judged ones.
Several runs are seen at once, as runs × topics "topics": a measure need not know.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import add, mul
from typing import TypeVar, cast

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, starts
from evaluation.engine.backend import Backend
from evaluation.engine.lookup import Lookup
from evaluation.engine.options import Options
from evaluation.engine.rows import AveragedTies, Rows, averaged_ties, levels_of, previous, rows_of, scan

Array = TypeVar("Array", Floats, Bools)


@dataclass(frozen=True, eq=False)
class Rankings:
    """Runs against one qrels. Arrays live where the backend computes; grades and ranks are float64.

    Found rows, (n_found,): judged documents in the run, topic after topic in evaluated order. Ideal rows, (n_pairs,):
    all pairs of the qrels, topic after topic by descending grade; once for all runs, if they are the same for them
    (`n_alike`). A document of negative grade is in the qrels but not judged.
    """

    backend: Backend
    options: Options
    n_topics: int
    top_grade: int  # of the scale, else the highest of the qrels
    levels: tuple[int, ...]  # grades in ascending order: each that occurs, and perhaps some between
    rows: Rows
    ideal: Rows
    n_retrieved: Floats  # (n_topics,) documents in the run, judged or not
    n_alike: int = 1  # runs that have the same ideal rows
    ties: AveragedTies | None = None
    cache: dict[object, Floats | Bools] = field(default_factory=dict)  # what several measures ask for

    # --- found rows ---

    @property
    def topic(self) -> Ints:
        return self.rows.topic

    @property
    def rank(self) -> Floats:
        return self.rows.rank

    @property
    def grade(self) -> Floats:
        return self.rows.grade

    @property
    def begin(self) -> Ints:
        return self.rows.begin

    @property
    def discount(self) -> Floats:
        """log2(rank + 1)."""
        return self.once("discount", lambda: self._discount(self.rows))

    def by_rank(self, of: Callable[[int], float]) -> Floats:
        """`of(rank)` of each found row: computed once a rank, by Python's own mathematics, as C's. (n_found,)"""
        return self.backend.at(self.backend.put(_by_rank(of, self.rows.deepest)), self.rows.rank_index)

    def by_grade(self, of: Callable[[int], float]) -> Floats:
        """`of(grade)` of each found row. (n_found,)"""
        return self.backend.at(self.backend.put(_table(of, self.levels)), self.rows.grade_index)

    def relevant(self, level: int, depth: float = math.inf) -> Bools:
        """Whether a found row is of a grade ≥ level and, with a depth, among the first ranks. (n_found,)"""
        if depth >= self.rows.deepest:
            return self.once(("found relevant", level), lambda: self.grade >= level)
        return self.once(("found relevant", level, depth), lambda: self.relevant(level) & (self.rank <= depth))

    def n_relevant_found(self, level: int, depth: float = math.inf) -> Floats:
        """How many of them there are. (n_topics,)"""
        depth = depth if depth < self.rows.deepest else math.inf
        return self.once(("relevant found", level, depth), lambda: self.total(self.relevant(level, depth)))

    def relevant_so_far(self, level: int, depth: float = math.inf) -> Floats:
        """`running` of what is relevant. (n_found,)"""
        depth = depth if depth < self.rows.deepest else math.inf
        return self.once(("relevant so far", level, depth), lambda: self.running(self.relevant(level, depth)))

    def cut(self, value: Floats, depth: float) -> Floats:
        """A finite value of found rows, 0 beyond the first ranks. (n_found,)"""
        return value if depth >= self.rows.deepest else value * (self.rank <= depth)

    def of_topic(self, value: Floats) -> Floats:
        """The value that the topic of each found row has. (n_found,)"""
        return self.backend.at(value, self.topic)

    def total(self, value: Floats | Bools) -> Floats:
        """Sum of a value of found rows over each topic, in evaluated order. (n_topics,)"""
        value = value if self.ties is None else value * self.ties.share
        return self.backend.total(value, self.topic, self.n_topics, self.rows.start)

    def running(self, flag: Bools) -> Floats:
        """How many found rows of the topic have the flag, up to and with each. (n_found,)

        Under averaged ties, for a row with the flag: the number expected, given that the document stands there. The
        flag is then one of the grade, or of the grade and of a rank up to a cutoff.
        """
        if self.ties is not None:
            return self._running_averaged(flag, self.ties)
        count = self.backend.running(flag)
        inside = self.total(flag)
        return count - self.of_topic(self.backend.running(inside) - inside)

    def first_relevant(self, level: int, depth: float) -> Floats:
        """1 for the first relevant row of each topic, 0 for all other rows. (n_found,)

        Under averaged ties, for a relevant row: how probable that is, given that the document stands there.
        """
        relevant = self.relevant(level, depth)
        if self.ties is not None:
            return self._first_averaged(relevant, self.ties)
        first: Floats = (relevant & (self.relevant_so_far(level, depth) == 1)) * 1.0
        return first

    def running_sum(self, value: Floats) -> Floats:
        """Sum of a value over the found rows of the topic up to and with each, within each topic alone. (n_found,)"""
        return scan(self.rows, value, add, self.backend)

    def running_product(self, value: Floats) -> Floats:
        """Product of a value over the found rows of the topic up to and with each. (n_found,)"""
        return scan(self.rows, value, mul, self.backend)

    def previous(self, value: Floats, first: float) -> Floats:
        """The value of the found row above in the same topic, `first` for a topic's first row. (n_found,)"""
        return previous(self.rows, value, first, self.backend)

    # --- ideal rows ---

    @property
    def ideal_topic(self) -> Ints:
        """The topic of each ideal row in the first of the runs that share it."""
        return self.ideal.topic

    @property
    def ideal_rank(self) -> Floats:
        return self.ideal.rank

    @property
    def ideal_grade(self) -> Floats:
        return self.ideal.grade

    @property
    def ideal_discount(self) -> Floats:
        return self.once("ideal discount", lambda: self._discount(self.ideal))

    def ideal_by_rank(self, of: Callable[[int], float]) -> Floats:
        return self.backend.at(self.backend.put(_by_rank(of, self.ideal.deepest)), self.ideal.rank_index)

    def ideal_by_grade(self, of: Callable[[int], float]) -> Floats:
        return self.backend.at(self.backend.put(_table(of, self.levels)), self.ideal.grade_index)

    def ideal_cut(self, value: Floats, depth: float) -> Floats:
        """A finite value of ideal rows, 0 beyond the first ranks. (n_pairs,) or (n_alike, n_pairs)"""
        return value if depth >= self.ideal.deepest else value * (self.ideal_rank <= depth)

    def ideal_total(self, value: Floats | Bools) -> Floats:
        """Sum of a value of ideal rows over each topic, in ideal order. (n_topics,)

        The value is the same for all runs, (n_pairs,), or one for each that share the ideal rows, (n_alike, n_pairs).
        """
        if value.ndim == 1:
            once = self.backend.total(value, self.ideal.topic, self.n_topics // self.n_alike, self.ideal.start)
            return self.backend.repeated(once, self.n_alike)
        of_run = self.backend.back(self.n_alike, 0).reshape(-1, 1) * (self.n_topics // self.n_alike)
        return self.backend.total(value.reshape(-1), (of_run + self.ideal.topic).reshape(-1), self.n_topics)

    def of_ideal_topic(self, value: Floats) -> Floats:
        """The value that each run has for the topic of each ideal row: (n_topics,) to (n_alike, n_pairs)."""
        return value.reshape(self.n_alike, -1)[:, self.ideal.topic]

    def n_relevant(self, level: int) -> Floats:
        """Judged documents of a grade ≥ level, retrieved or not. (n_topics,)"""
        return self.once(("relevant", level), lambda: self.ideal_total(self.ideal_grade >= level))

    def n_nonrelevant(self, level: int) -> Floats:
        """Judged documents of a grade below level; negative grades are not judged. (n_topics,)"""
        return self.once(
            ("nonrelevant", level),
            lambda: self.ideal_total((self.ideal_grade >= 0) & (self.ideal_grade < level)),
        )

    # --- elementwise ---

    def ratio(self, part: Floats, whole: Floats) -> Floats:
        """part / whole, and 0 where there is nothing to divide by."""
        return self.backend.ratio(part, whole)

    def minimum(self, a: Floats, b: Floats | float) -> Floats:
        return self.backend.minimum(a, b)

    def maximum(self, a: Floats, b: Floats | float) -> Floats:
        return self.backend.maximum(a, b)

    def where(self, condition: Bools, yes: Floats | float, no: Floats | float) -> Floats:
        return self.backend.where(condition, yes, no)

    def once(self, what: object, compute: Callable[[], Array]) -> Array:
        """What `compute` gives, computed for the first measure that asks; `what` names it."""
        if what not in self.cache:
            self.cache[what] = compute()
        return cast("Array", self.cache[what])

    def _discount(self, rows: Rows) -> Floats:
        return self.backend.at(self.backend.put(_discounts(rows.deepest.bit_length())), rows.rank_index)

    def _counted_averaged(self, flag: Bools, ties: AveragedTies) -> tuple[Floats, Floats]:
        """`(in groups above, in the group)`: documents with the flag, for each row that has it. Whole numbers."""
        count = self.backend.where(flag & (ties.above == 0), ties.alike, 0.0)  # each once, at its group's first rank
        up_to = self.backend.running(count)
        before = up_to - count
        return before[ties.first] - before[self.begin], up_to[ties.last] - before[ties.first]

    def _running_averaged(self, flag: Bools, ties: AveragedTies) -> Floats:
        above, in_group = self._counted_averaged(flag, ties)
        return above + 1.0 + (in_group - 1.0) * ties.others_above

    def _first_averaged(self, flag: Bools, ties: AveragedTies) -> Floats:
        """No flagged group above, and at each rank of the group above this one a document without the flag."""
        above, in_group = self._counted_averaged(flag, ties)
        without = self.backend.maximum(ties.size - in_group - ties.above + 1.0, 0.0)
        step = self.backend.where(ties.above > 0, without / (ties.size - ties.above), 1.0)
        up_to = scan(self.rows, step, mul, self.backend, ties.begin)
        return self.backend.where(flag & (above == 0), up_to, 0.0)


def rankings_of(lookup: Lookup, options: Options, top_grade: int, backend: Backend) -> Rankings:
    """The view that measures compute on."""
    n_topics = lookup.in_run.size
    n_ideal = n_topics // lookup.n_alike
    levels = levels_of(lookup.ideal_grade, lookup.grade)
    start, ideal_start = starts(lookup.topic, n_topics), starts(lookup.ideal_topic, n_ideal)
    ideal_rank = np.arange(1, lookup.ideal_topic.size + 1) - ideal_start[lookup.ideal_topic]
    return Rankings(
        backend,
        options,
        n_topics,
        top_grade,
        tuple(levels.tolist()),
        rows=rows_of(start, lookup.topic, lookup.rank, lookup.grade, levels=levels, backend=backend),
        ideal=rows_of(ideal_start, lookup.ideal_topic, ideal_rank, lookup.ideal_grade, levels=levels, backend=backend),
        n_retrieved=backend.put(lookup.n_retrieved.astype(np.float64)),
        n_alike=lookup.n_alike,
        ties=averaged_ties(lookup, backend) if options.ties == "averaged" else None,
    )


@lru_cache(maxsize=2)
def _discounts(bits: int) -> Floats:
    """log2(rank + 1) of all ranks of so many bits, from 0. Kept: of short topics they take longer than the rest."""
    table = _table(lambda rank: math.log2(rank + 1), range(1 << bits))
    table.flags.writeable = False
    return table


def _by_rank(of: Callable[[int], float], deepest: int) -> Floats:
    """From rank 1 on; there is no rank 0."""
    return np.append(0.0, _table(of, range(1, deepest + 1)))


def _table(of: Callable[[int], float], arguments: Sequence[int]) -> Floats:
    return np.fromiter(map(of, arguments), np.float64, len(arguments))
