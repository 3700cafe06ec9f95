"""More measures once more, a rank at a time, from the definitions in their papers.

Each function takes a topic and the parameters of the measure, by their names there.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from scipy.special import polygamma

from evaluation.engine.measures import Measure

Grades = Sequence[int | None]


@dataclass(frozen=True)
class Topic:
    """One topic: the ranking of a run, the grades of its documents, and the top of the scale."""

    docnos: list[str]
    grade_of: dict[str, int]
    top: int

    @property
    def ranking(self) -> list[int | None]:
        """The grades in the order of the run, None where the qrels say nothing."""
        return [self.grade_of.get(docno) for docno in self.docnos]

    @property
    def best(self) -> list[int]:
        """All grades of the topic, the highest first."""
        return sorted(self.grade_of.values(), reverse=True)

    def n_relevant(self, rel: int = 1) -> int:
        return sum(grade >= rel for grade in self.best)


def value_of(measure: Measure, topic: Topic) -> float:
    return FAMILIES[measure.family](topic, **{f.name: getattr(measure, f.name) for f in fields(measure)})


def worth(grades: Grades, how: str = "linear") -> list[float]:
    positive = [max(grade or 0, 0) for grade in grades]
    return [float(g) if how == "linear" else 2.0**g - 1 for g in positive]


def hits(grades: Grades, rel: int = 1) -> list[bool]:
    return [(grade or 0) >= rel for grade in grades]


# --- gains and discounts ---


def dcg(topic: Topic, cutoff: int | None, gains: str, discount: str, base: float) -> float:
    total = 0.0
    for rank, gain in enumerate(worth(topic.ranking, gains)[:cutoff], 1):
        total += gain / (math.log(rank + 1, base) if discount == "rank+1" else max(1, math.log(rank, base)))
    return total


# --- users who are satisfied ---


def satisfied_at(grades: Grades, top: int) -> list[float]:
    """The chance to be satisfied at each rank and no earlier."""
    chances, still = [], 1.0
    for gain in worth(grades, "exp"):
        chances.append(still * gain / 2**top)
        still *= 1 - gain / 2**top
    return chances


def _err(grades: Grades, top: int, cutoff: int | None) -> float:
    return sum(chance / rank for rank, chance in enumerate(satisfied_at(grades, top)[:cutoff], 1))


def err(topic: Topic, cutoff: int | None) -> float:
    return _err(topic.ranking, topic.top, cutoff)


def nerr(topic: Topic, cutoff: int | None) -> float:
    ideal = _err(topic.best, topic.top, cutoff)
    return _err(topic.ranking, topic.top, cutoff) / ideal if ideal else 0.0


def irbu(topic: Topic, cutoff: int | None, p: float) -> float:
    return sum(chance * p**rank for rank, chance in enumerate(satisfied_at(topic.ranking, topic.top)[:cutoff], 1))


# --- the blended ratio ---


def blended(topic: Topic, beta: float, how: str) -> list[float]:
    ratios, here, ideal = [], worth(topic.ranking, how), worth(topic.best, how)
    for rank in range(1, len(topic.ranking) + 1):
        n_relevant = sum(hits(topic.ranking[:rank]))
        ratios.append((n_relevant + beta * sum(here[:rank])) / (rank + beta * sum(ideal[:rank])))
    return ratios


def ebr(topic: Topic, cutoff: int | None, beta: float, gains: str) -> float:
    pairs = zip(satisfied_at(topic.ranking, topic.top), blended(topic, beta, gains), strict=True)
    return sum(chance * ratio for chance, ratio in [*pairs][:cutoff])


def q_measure(topic: Topic, cutoff: int | None, beta: float, gains: str) -> float:
    pairs = [*zip(hits(topic.ranking), blended(topic, beta, gains), strict=True)][:cutoff]
    n_relevant = min(topic.n_relevant(), cutoff or topic.n_relevant())
    return sum(ratio for hit, ratio in pairs if hit) / n_relevant if n_relevant else 0.0


def ncu(topic: Topic, *, cutoff: None, stop: str, beta: float, gamma: float, gains: str) -> float:
    def shares(grades: Grades) -> list[float]:
        weights, n_above = [], 0
        for hit, gain in zip(hits(grades), worth(grades, gains), strict=True):
            weights.append({"u": 1.0, "gu": gain, "rb": gamma**n_above}[stop] * hit)
            n_above += hit
        return weights

    whole = sum(shares(topic.best))
    pairs = zip(shares(topic.ranking), blended(topic, beta, gains), strict=True)
    return sum(share * ratio for share, ratio in pairs) / whole if whole else 0.0


# --- users who go on from rank to rank (C/W/L) ---

ENDLESS = 400  # ranks, enough for a sum that shrinks by a tenth with each


def browsed(topic: Topic, on: Callable[[int, float, float], float], n_ranks: int) -> float:
    """Σ V g / Σ V over `n_ranks` ranks; `on(rank, gain here, gain so far)` is the chance to go on from a rank."""
    gain = [g / topic.top for g in worth(topic.ranking)]
    reached, met, looked_at, so_far = 1.0, 0.0, 0.0, 0.0
    for rank in range(1, n_ranks + 1):
        here = gain[rank - 1] if rank <= len(gain) else 0.0
        met, looked_at, so_far = met + reached * here, looked_at + reached, so_far + here
        reached *= on(rank, here, so_far)
    return met / looked_at


def sdcg(topic: Topic, cutoff: int) -> float:
    return browsed(topic, lambda i, *_: math.log2(i + 1) / math.log2(i + 2), cutoff)


def insq(topic: Topic, cutoff: int, T: float) -> float:
    return browsed(topic, lambda i, *_: ((i + 2 * T - 1) / (i + 2 * T)) ** 2, cutoff)


def inst(topic: Topic, cutoff: int | None, T: float) -> float:
    if cutoff is None:
        return inst_without_end(topic, T)
    return browsed(topic, lambda i, _, total: ((i + 2 * T - total - 1) / (i + 2 * T - total)) ** 2, cutoff)


def inst_without_end(topic: Topic, T: float) -> float:
    """The ranks beyond the ranking are summed by scipy's trigamma function."""
    reached, met, looked_at, wait = 1.0, 0.0, 0.0, 2 * T
    for rank, gain in enumerate(worth(topic.ranking), 1):
        met, looked_at, wait = met + reached * gain / topic.top, looked_at + reached, wait - gain / topic.top
        reached *= ((rank + wait - 1) / (rank + wait)) ** 2
    past = len(topic.ranking) + wait
    return float(met / (looked_at + reached * past**2 * polygamma(1, past)))


def bpm(topic: Topic, cutoff: int, T: float) -> float:
    so_far, gain = 0.0, worth(topic.ranking)
    for rank in range(1, cutoff + 1):
        so_far += gain[rank - 1] if rank <= len(gain) else 0.0
        if so_far >= T * topic.top or rank == cutoff:
            return so_far / topic.top / rank
    raise AssertionError


def nerr8(topic: Topic, cutoff: int) -> float:
    return browsed(topic, lambda i, gain, _: 1 - gain, cutoff)


def nerr9(topic: Topic, cutoff: int) -> float:
    return browsed(topic, lambda i, gain, _: i / (i + 1) * (1 - gain), cutoff)


def nerr10(topic: Topic, cutoff: None, p: float) -> float:
    return browsed(topic, lambda i, gain, _: p * (1 - gain), ENDLESS)


def nerr11(topic: Topic, cutoff: int, T: float) -> float:
    return browsed(topic, lambda i, gain, _: ((i + 2 * T - 1) / (i + 2 * T)) ** 2 * (1 - gain), cutoff)


# --- counts ---


def f1(topic: Topic, cutoff: int, rel: int) -> float:
    n_hits = sum(hits(topic.ranking[:cutoff], rel))
    precision, recall = n_hits / cutoff, n_hits / (topic.n_relevant(rel) or 1)
    return 2 * precision * recall / (precision + recall) if n_hits else 0.0


def accuracy(topic: Topic, cutoff: int | None, rel: int) -> float:
    flags = hits(topic.ranking[:cutoff], rel)
    pairs = [(i, j) for i, hit in enumerate(flags) for j, other in enumerate(flags) if hit and not other]
    return sum(i < j for i, j in pairs) / len(pairs) if pairs else float(any(flags))


def hole(topic: Topic, cutoff: int) -> float:
    return sum(grade is None or grade < 0 for grade in topic.ranking[:cutoff]) / cutoff


# --- overlap ---


def compatibility(topic: Topic, cutoff: None, p: float, normalize: bool) -> float:
    """A document that the run lacks comes after those of its grade that it has."""
    place = {docno: rank for rank, docno in enumerate(topic.docnos)}
    relevant = [docno for docno, grade in topic.grade_of.items() if grade >= 1]
    ideal = sorted(relevant, key=lambda docno: (-topic.grade_of[docno], place.get(docno, math.inf)))
    depth = max(len(topic.docnos), len(ideal))

    def overlap(one: Sequence[str], other: Sequence[str]) -> float:
        shared = (len(set(one[:d]) & set(other[:d])) / d * p ** (d - 1) for d in range(1, depth + 1))
        return sum(shared) / sum(p ** (d - 1) for d in range(1, depth + 1))

    if not ideal:
        return 0.0
    return overlap(topic.docnos, ideal) / (overlap(ideal, ideal) if normalize else 1.0)


FAMILIES: Mapping[str, Callable[..., float]] = {
    "DCG": dcg,
    "ERR": err,
    "nERR": nerr,
    "iRBU": irbu,
    "EBR": ebr,
    "Q": q_measure,
    "NCU": ncu,
    "SDCG": sdcg,
    "INSQ": insq,
    "INST": inst,
    "BPM": bpm,
    "NERR8": nerr8,
    "NERR9": nerr9,
    "NERR10": nerr10,
    "NERR11": nerr11,
    "F1": f1,
    "Hits": lambda topic, cutoff, rel: float(sum(hits(topic.ranking[:cutoff], rel))),
    "Accuracy": accuracy,
    "Hole": hole,
    "Compat": compatibility,
}
