"""Diversity measures once more, topic by topic and rank by rank as the papers say it; nothing of the engine is used."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

Judgments = dict[str, dict[str, int]]  # subtopic → docno → grade


@dataclass(frozen=True)
class Topic:
    ranking: list[str]  # docnos from the top
    judgments: Judgments
    p: dict[str, float]  # the weights of the subtopics


def relevant(judgments: Judgments, subtopic: str, docno: str, rel: int) -> bool:
    return judgments[subtopic].get(docno, -1) >= rel


def served(judgments: Judgments, rel: int) -> list[str]:
    """The subtopics that count: those with a relevant document."""
    return [s for s, grades in judgments.items() if any(g >= rel for g in grades.values())]


def novelty(topic: Topic, alpha: float, rel: int) -> list[float]:
    """What the document at each rank adds."""
    open_ = dict.fromkeys(topic.judgments, 1.0)
    added = []
    for docno in topic.ranking:
        now = [s for s in topic.judgments if relevant(topic.judgments, s, docno, rel)]
        added.append(sum(topic.p[s] * open_[s] for s in now))
        for s in now:
            open_[s] *= 1 - alpha
    return added


def greedy(topic: Topic, worth: Callable[[dict[str, float], str], float], keep: Callable[[str, str], float]) -> Topic:
    """All judged documents: next always the one of greatest worth, equal ones by docno descending as bytes."""
    left = {d for grades in topic.judgments.values() for d, g in grades.items() if g >= 0}
    open_ = dict.fromkeys(topic.judgments, 1.0)
    ranking = []
    while left:
        best = max(left, key=lambda d: (worth(open_, d), d.encode()))
        left.remove(best)
        ranking.append(best)
        for s in topic.judgments:
            open_[s] *= keep(s, best)
    return replace(topic, ranking=ranking)


def ideal(topic: Topic, alpha: float, rel: int) -> Topic:
    judgments, p = topic.judgments, topic.p
    return greedy(
        topic,
        lambda open_, d: sum(p[s] * open_[s] for s in judgments if relevant(judgments, s, d, rel)),
        lambda s, d: 1 - alpha if relevant(judgments, s, d, rel) else 1.0,
    )


def discounted(added: list[float], k: float) -> float:
    return sum(a / log_discount(r) for r, a in enumerate(added, 1) if r <= k)


def log_discount(rank: int) -> float:
    return math.log(rank + 1) / math.log(2)


def alpha_dcg(topic: Topic, k: int, alpha: float, rel: int) -> float:
    """As the paper has it, not normalised."""
    return discounted(novelty(topic, alpha, rel), k)


def alpha_dcg_all(topic: Topic, k: int, alpha: float, rel: int) -> float:
    weight = sum(topic.p[s] for s in served(topic.judgments, rel))
    most = weight * discounted([(1 - alpha) ** r for r in range(k)], k)
    return alpha_dcg(topic, k, alpha, rel) / most if most else 0.0


def alpha_ndcg(topic: Topic, k: int, alpha: float, rel: int) -> float:
    best = alpha_dcg(ideal(topic, alpha, rel), k, alpha, rel)
    return alpha_dcg(topic, k, alpha, rel) / best if best else 0.0


def err(ranking: list[str], grades: dict[str, int], k: int, chance: Callable[[int], float]) -> float:
    value, reads = 0.0, 1.0
    for rank, docno in enumerate(ranking[:k], 1):
        stops = chance(grades.get(docno, -1))
        value += reads * stops / rank
        reads *= 1 - stops
    return value


def err_ia(topic: Topic, k: int, rel: int, chance: Callable[[int], float]) -> float:
    """Not normalised."""
    return expected(topic, rel, lambda grades: err(topic.ranking, grades, k, chance))


def nerr_ia(topic: Topic, k: int, rel: int, chance: Callable[[int], float]) -> float:
    judgments, p = topic.judgments, topic.p
    best = greedy(
        topic,
        lambda open_, d: sum(p[s] * open_[s] * chance(judgments[s].get(d, -1)) for s in judgments),
        lambda s, d: 1 - chance(judgments[s].get(d, -1)),
    )
    most = err_ia(best, k, rel, chance)
    return err_ia(topic, k, rel, chance) / most if most else 0.0


def nrbp(topic: Topic, alpha: float, beta: float, rel: int) -> float:
    weight = sum(topic.p[s] for s in served(topic.judgments, rel))
    met = sum(a * beta**r for r, a in enumerate(novelty(topic, alpha, rel)))
    return (1 - (1 - alpha) * beta) * met / weight if weight else 0.0


def nnrbp(topic: Topic, alpha: float, beta: float, rel: int) -> float:
    best = nrbp(ideal(topic, alpha, rel), alpha, beta, rel)
    return nrbp(topic, alpha, beta, rel) / best if best else 0.0


def subtopic_recall(topic: Topic, k: int, rel: int) -> float:
    counted = served(topic.judgments, rel)
    subtopics = [s for s in counted if any(relevant(topic.judgments, s, d, rel) for d in topic.ranking[:k])]
    return len(subtopics) / len(counted) if counted else 0.0


def expected(topic: Topic, rel: int, value: Callable[[dict[str, int]], float]) -> float:
    """Of the value for the grades of a subtopic alone."""
    counted = served(topic.judgments, rel)
    weight = sum(topic.p[s] for s in counted)
    return sum(topic.p[s] * value(topic.judgments[s]) for s in counted) / weight if counted else 0.0


def precision(ranking: list[str], grades: dict[str, int], k: int, rel: int) -> float:
    return sum(grades.get(d, -1) >= rel for d in ranking[:k]) / k


def average_precision(ranking: list[str], grades: dict[str, int], rel: int) -> float:
    hits = [r for r, d in enumerate(ranking, 1) if grades.get(d, -1) >= rel]
    n_relevant = sum(g >= rel for g in grades.values())
    return sum(n / r for n, r in enumerate(hits, 1)) / n_relevant if n_relevant else 0.0


def reciprocal_rank(ranking: list[str], grades: dict[str, int], rel: int) -> float:
    return next((1 / r for r, d in enumerate(ranking, 1) if grades.get(d, -1) >= rel), 0.0)


def ndcg(gained: list[float], possible: list[float], k: float) -> float:
    best = discounted(sorted(possible, reverse=True), k)
    return discounted(gained, k) / best if best else 0.0


def d_ndcg(topic: Topic, k: float, gain: Callable[[int], float]) -> float:
    docnos = {d for grades in topic.judgments.values() for d in grades}
    worth = {d: sum(topic.p[s] * gain(max(g.get(d, 0), 0)) for s, g in topic.judgments.items()) for d in docnos}
    return ndcg([worth.get(d, 0.0) for d in topic.ranking], list(worth.values()), k)
