"""Clicks by the position-based model, as counts: every topic is shown in several orders."""

from collections.abc import Sequence

import numpy as np

from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.qrels import Qrels

DEPTH = 10


def made_clicks(
    n_topics: int = 30,
    n_documents: int = 15,
    *,
    seed: int = 0,
    eta: float = 1.0,
    shown: int = 100,
    orders: int = 4,
    odd: Sequence[tuple[int, int, float]] = (),
) -> tuple[ClickCounts, Qrels]:
    """Grades 0 to 4 attract with .05 to .65; `odd`: topic, document and the chance that it attracts in truth."""
    rng = np.random.default_rng(seed)
    grade = rng.integers(0, 5, (n_topics, n_documents))
    attracts = 0.05 + 0.15 * grade
    for topic, document, chance in odd:
        attracts[topic, document] = chance
    rows = list[tuple[int, int, int, int]]()
    for topic in range(n_topics):
        for _ in range(orders):
            order = np.argsort(-grade[topic] + rng.normal(0, 1.5, n_documents))[:DEPTH].tolist()
            rows += [
                (topic, document, at, int(rng.binomial(shown, attracts[topic, document] * at**-eta)))
                for at, document in enumerate(order, 1)
            ]
    names = [str(100 + topic) for topic in range(n_topics)]
    qrels = Qrels.of(
        np.repeat(names, n_documents).tolist(), [f"d{d}" for _ in names for d in range(n_documents)], grade.ravel()
    )
    return counts_of([(names[t], f"d{d}", at, clicks, shown) for t, d, at, clicks in rows]), qrels


def counts_of(rows: Sequence[tuple[str, str, int, float, float]]) -> ClickCounts:
    """Rows of number, docno, position, clicks, impressions; those of one pair and position are added up."""
    cells: dict[tuple[str, str, int], list[float]] = {}
    for number, docno, position, clicks, shown in rows:
        cell = cells.setdefault((number, docno, position), [0.0, 0.0])
        cell[0] += clicks
        cell[1] += shown
    keys = sorted(cells)
    pairs = {pair: at for at, pair in enumerate(sorted({key[:2] for key in keys}))}
    numbers = {number: at for at, number in enumerate(sorted({number for number, _ in pairs}))}
    return ClickCounts(
        numbers=tuple(numbers),
        topic=np.array([numbers[number] for number, _ in pairs]),
        docno=tuple(docno for _, docno in pairs),
        pair=np.array([pairs[key[:2]] for key in keys]),
        position=np.array([key[2] for key in keys]),
        clicks=np.array([cells[key][0] for key in keys]),
        impressions=np.array([cells[key][1] for key in keys]),
    )
