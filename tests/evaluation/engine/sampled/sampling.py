"""Samples of judgments for tests, and the measures of a sample once more, a document at a time.

The estimates follow what TREC's sample_eval.pl (2012) and statAP_MQ_eval_v3.pl do, read off their sources; sums of
counts are fractions here, so that no rounding decides where a grade ends.
"""

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evaluation.engine.sampled import Prels
from tests.evaluation.engine.made import Grades, Scores

Pooled = Mapping[str, tuple[str, int]]  # docno → (stratum, grade), a negative grade: not sampled
Chances = Mapping[str, tuple[int, float]]  # docno → (grade, inclusion probability)


def made_stratified(pools: Mapping[str, Pooled]) -> Prels:
    rows = [(n, d, s, g) for n, pool in pools.items() for d, (s, g) in pool.items()]
    return Prels.stratified([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows])


def made_prels(chances: Mapping[str, Chances]) -> Prels:
    rows = [(n, d, g, p) for n, docs in chances.items() for d, (g, p) in docs.items()]
    return Prels.with_probabilities(*([r[i] for r in rows] for i in range(4)))  # type: ignore[arg-type]


def strata_of(grades: Grades, rng: random.Random, rates: Mapping[str, float]) -> dict[str, dict[str, tuple[str, int]]]:
    """Each document in a stratum at random, and of each stratum about its rate sampled; a stratum may have none."""
    pools = dict[str, dict[str, tuple[str, int]]]()
    for number, judged in grades.items():
        of = {docno: rng.choice(list(rates)) for docno in judged}
        chosen = set[str]()
        for stratum, rate in rates.items():
            members = [docno for docno in judged if of[docno] == stratum]
            chosen |= set(rng.sample(members, round(rate * len(members))))
        pools[number] = {d: (of[d], max(g, 0) if d in chosen else -1) for d, g in judged.items()}
    return pools


def stat_ap(ranking: Sequence[str], sample: Chances, *, rel: int = 1, k: int | None = None) -> float:
    n_relevant = sum(1 / p for grade, p in sample.values() if grade >= rel)
    total = above = 0.0
    for rank, docno in enumerate(ranking[:k], 1):
        grade, p = sample.get(docno, (-1, 1.0))
        if grade >= rel:
            total += (1 + above) / rank / p
            above += 1 / p
    return total / n_relevant if n_relevant else 0.0


@dataclass
class Seen:
    """Counts of one stratum."""

    pooled: int = 0
    judged: int = 0
    relevant: int = 0

    def add(self, grade: int, rel: int) -> None:
        self.pooled += 1
        self.judged += grade >= 0
        self.relevant += grade >= rel


def counts(pool: Pooled, rel: int = 1) -> dict[str, Seen]:
    seen = defaultdict[str, Seen](Seen)
    for stratum, grade in pool.values():
        seen[stratum].add(grade, rel)
    return seen


def n_relevant(pool: Pooled, rel: int = 1) -> float:
    return float(sum(Fraction(s.relevant * s.pooled, s.judged) for s in counts(pool, rel).values() if s.judged))


def xinf_ap(
    ranking: Sequence[str], pool: Pooled, *, rel: int = 1, k: int | None = None, eps: Fraction = Fraction(1, 100000)
) -> float:
    whole, above, sums = counts(pool, rel), defaultdict[str, Seen](Seen), defaultdict[str, Fraction](Fraction)
    for rank, docno in enumerate(ranking[:k], 1):
        if docno not in pool:
            continue
        stratum, grade = pool[docno]
        if grade >= rel:
            parts = ((s.pooled, s.relevant + eps, s.judged + 3 * eps) for s in above.values() if s.judged + 3 * eps)
            sums[stratum] += (1 + sum((n * a / b for n, a, b in parts), Fraction(0))) / rank
        above[stratum].add(grade, rel)
    expected = {stratum: Fraction(s.relevant * s.pooled, s.judged or 1) for stratum, s in whole.items()}
    total = sum(sums[stratum] / whole[stratum].relevant * expected[stratum] for stratum in sums)
    return float(total / min(sum(expected.values()), k or math.inf)) if total else 0.0


def inf_ndcg(ranking: Sequence[str], pool: Pooled, *, k: int | None = None) -> float:
    strata, gain = defaultdict[str, Seen](Seen), defaultdict[str, float](float)
    for rank, docno in enumerate(ranking[:k], 1):
        if docno in pool:
            stratum, grade = pool[docno]
            strata[stratum].add(grade, 1)
            gain[stratum] += max(grade, 0) / math.log2(rank + 1)
    dcg = sum(gain[s] * seen.pooled / seen.judged for s, seen in strata.items() if seen.judged)
    whole, start, best = counts(pool), Fraction(0), 0.0
    for grade in sorted({g for _, g in pool.values() if g > 0}, reverse=True):
        of_grade = [whole[stratum] for stratum, g in pool.values() if g == grade]
        expected = sum((Fraction(seen.pooled, seen.judged) for seen in of_grade), Fraction(0))
        place = start + 1
        while place <= start + expected and place - 1 < (k or math.inf):
            best += grade / math.log2(place + 1)
            place += 1
        start += expected
    return dcg / best if best else 0.0


def many(n_topics: int, seed: int, *, size: int) -> tuple[Grades, Scores]:
    """Topics with so many documents each, all graded; four of five are retrieved, and as many others as are not."""
    rng = random.Random(seed)
    grades, scores = Grades(), Scores()
    for t in range(n_topics):
        docnos = [f"d{i}" for i in range(size)]
        grades[str(t)] = {d: rng.choice([0, 0, 0, 1, 1, 2, 4]) for d in docnos}
        ranking = rng.sample(docnos, size * 4 // 5) + [f"u{i}" for i in range(size // 5)]
        scores[str(t)] = {d: rng.randrange(60) + grades[str(t)].get(d, 0) * 5.0 for d in ranking}
    return grades, scores
