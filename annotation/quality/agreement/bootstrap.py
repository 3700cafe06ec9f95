"""Bootstrap intervals of coefficients: items, or whole topics, are drawn with replacement.

B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7 (1979); whole
topics because judgments of one topic resemble each other (the cluster bootstrap; A. C. Davison and
D. V. Hinkley, Bootstrap Methods and their Application, 1997, chapter 3.8). Over items an interval
says what other documents of these topics would give, over topics what other topics would; people
are the same in both.

Items with the same counts are drawn as one (a multinomial draw over the patterns there are), so
that a draw costs some hundred numbers, not a million.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.sums import Sums, added_by
from annotation.quality.arrays import Floats, Ints

By: TypeAlias = Literal["items", "topics"]
Coefficient: TypeAlias = Callable[[Sums], Floats]  # sums of resamples → a value each, NaN where undefined

N_DRAWS = 2000
LEAST_UNITS = 5  # of fewer items or topics no resample says anything
MOST_UNDEFINED = 0.05
_RARE = 3  # items with the same counts, up to which drawing them one by one is quicker
_CELLS_AT_ONCE = 1 << 21
_ITEMS_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class BootstrapInterval:
    """Ends of a percentile interval, or None and a `reason`."""

    low: float | None
    high: float | None
    reason: str
    by: By

    @property
    def defined(self) -> bool:
        return self.low is not None


def bootstrap_intervals(
    table: GradeCounts,
    coefficients: Mapping[str, Coefficient],
    *,
    by: By = "items",
    n_draws: int = N_DRAWS,
    confidence: float = 0.95,
    rng: np.random.Generator | int,
) -> dict[str, BootstrapInterval]:
    """One interval a coefficient, all from the same draws. Raises `ValueError` for no draw, a confidence outside 0..1,
    and topics where the table has none."""
    if n_draws < 1 or not 0 < confidence < 1:
        raise ValueError("a bootstrap needs at least one draw and a confidence between 0 and 1")
    unit, times = units_of(table, by)
    if few := _too_few(len(times) if by == "topics" else table.compared[0], by):
        return {name: BootstrapInterval(None, None, few, by) for name in coefficients}
    drawn: dict[str, list[Floats]] = {name: [] for name in coefficients}
    for weights in resamples(times, n_draws=n_draws, rng=np.random.default_rng(rng)):
        sums = Sums.from_flat(weights @ unit, table.values)
        for name, coefficient in coefficients.items():
            drawn[name].append(coefficient(sums))
    return {
        name: BootstrapInterval(*percentile_ends(np.concatenate(parts), confidence), by)
        for name, parts in drawn.items()
    }


def _too_few(n: int, by: By) -> str:
    """`n`: units with something to compare; items with one judgment, however many, say nothing by themselves."""
    return f"Only {n} {by if n != 1 else by[:-1]} to draw from; it takes {LEAST_UNITS}." if n < LEAST_UNITS else ""


def units_of(table: GradeCounts, by: By) -> tuple[Floats, Ints]:
    """What each different unit adds to the sums, (n_units, n_sums), and how often it is there, (n_units,).

    Items without a judgment, and topics without an item to compare, are no units.
    """
    if by == "items":
        rows, times = table.patterns
        judged = rows.any(axis=1)
        return added_by(rows[judged], table.values), times[judged]
    if table.topic is None:
        raise ValueError("the table does not say which topic an item belongs to")
    added = _by_topic(table, table.topic)
    return added, np.ones(len(added), dtype=np.int64)


def resamples(times: Ints, *, n_draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Parts of (n_draws, n_units): how often each resample holds each unit; rows sum to Σ times."""
    n = int(times.sum())
    rare = times <= _RARE  # drawn item by item, which costs less; how many of them, with the others
    owner = np.repeat(np.flatnonzero(rare), times[rare])
    chance = np.append(times[~rare], len(owner)) / n
    step = max(1, _CELLS_AT_ONCE // len(times))
    for first in range(0, n_draws, step):
        drawn = rng.multinomial(n, chance, size=min(step, n_draws - first))
        weights = _drawn_singly(drawn[:, -1], owner, len(times), rng)
        weights[:, ~rare] = drawn[:, :-1]
        yield weights.astype(np.float64)


def _drawn_singly(n: Ints, owner: Ints, n_units: int, rng: np.random.Generator) -> Ints:
    """(n_draws, n_units): what n items, (n_draws,), drawn from the owners' items fall upon."""
    if not len(owner):
        return np.zeros((len(n), n_units), dtype=np.int64)
    fallen = owner[rng.integers(0, len(owner), int(n.sum()), dtype=np.int32)]
    fallen += np.repeat(np.arange(len(n)) * n_units, n)
    return np.bincount(fallen, minlength=len(n) * n_units).reshape(len(n), n_units).astype(np.int64)


def percentile_ends(value: Floats, confidence: float) -> tuple[float | None, float | None, str]:
    """The k-th smallest and k-th largest of the values drawn, k = ⌊(n + 1) · tail⌋; or why there are none."""
    finite = np.sort(value[~np.isnan(value)])
    undefined = 1 - len(finite) / len(value)
    if undefined > MOST_UNDEFINED:
        return None, None, f"Undefined in {100 * undefined:.0f} % of the resamples: too little varies."
    k = max(1, int((len(finite) + 1) * (1 - confidence) / 2 + 1e-9))
    return float(finite[k - 1]), float(finite[-k]), ""


def _by_topic(table: GradeCounts, topic: Ints) -> Floats:
    """(n_topics, n_sums), of topics with a shared item; items go through in parts, to bound memory."""
    n_topics = int(topic.max(initial=-1)) + 1
    parts = []
    for first in range(0, len(topic), _ITEMS_AT_ONCE):
        here = slice(first, first + _ITEMS_AT_ONCE)
        added = added_by(table.counts[here], table.values)
        columns = [np.bincount(topic[here], weights=column, minlength=n_topics) for column in added.T]
        parts.append(np.column_stack(columns))
    total = np.sum(parts, axis=0) if parts else np.zeros((0, 0))
    compared = np.bincount(topic[table.shared], minlength=n_topics) > 0
    return np.asarray(total[compared])
