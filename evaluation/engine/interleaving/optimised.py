"""Optimised interleaving: how often each allowed list is shown is the solution of a linear programme."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.interleaving.lists import NOBODY, Lists
from evaluation.engine.interleaving.method import CreditByClick, Draw, Shown

ROUNDING = 1e-12  # sums of δ below it are 0: a list of all documents that both rankings have
CreditRule: TypeAlias = Literal["inverse", "linear"]


@dataclass(frozen=True, kw_only=True)
class Optimised(CreditByClick):
    """Allowed lists: each prefix consists of a prefix of one ranking and a prefix of the other. A click counts for the
    first ranker by δ = 1/rank₁ − 1/rank₂ (`inverse`) or rank₂ − rank₁ (`linear`), for the second by −δ; a document that
    a ranking lacks has the rank behind its last. The team is the ranker that δ is in favour of.

    Probabilities p of the lists are chosen so that Σ_lists p · Σ_{i ≤ k} δ_i = 0 for every k: whoever clicks without
    looking at the documents, down to any depth, prefers nobody. Among these they maximise Σ p · s: where one click
    falls on position i with a chance in proportion to 1/i, w₁ and w₂ are the chances that the first and the second
    ranker are credited, and s = (w₁ + w₂) · H(w₁ / (w₁ + w₂)), H the entropy in bits: a list can decide either way.

    Radlinski and Craswell, Optimized interleaving for online retrieval evaluation, WSDM 2013. The programme is solved
    once a topic, exactly (scipy's HiGHS), over at most 2^(depth − 1) lists. Raises `ValueError` where no probabilities
    are fair, which did not occur in 10,000 programmes of random rankings.
    """

    title = "optimised"
    pairs_only = True
    by_credit = True
    most_depth = 10
    click_credit: CreditRule = "inverse"

    def __post_init__(self) -> None:
        if self.click_credit not in get_args(CreditRule):
            raise ValueError(f"the credit is inverse or linear, not {self.click_credit!r}")

    def drawing(self, rankings: Sequence[Sequence[str]]) -> Draw:
        first, second = rankings
        allowed = allowed_lists(first, second)
        rank_by_docno = [{docno: at for at, docno in enumerate(ranking, 1)} for ranking in rankings]
        rank = np.array([[[where.get(docno, 0) for where in rank_by_docno] for docno in one] for one in allowed])
        delta = self._delta(rank, len(first))  # (n_lists, depth)
        upto = np.cumsum(fair_probabilities(delta))
        team = np.where(delta > 0, 0, np.where(delta < 0, 1, NOBODY))

        def draw(rng: np.random.Generator) -> Shown:
            at = min(int(np.searchsorted(upto, rng.random() * upto[-1], side="right")), len(allowed) - 1)
            return Shown(allowed[at], tuple(team[at].tolist()))

        return draw

    def weight(self, lists: Lists) -> Floats:
        there = np.arange(lists.depth) < lists.length[:, None]
        delta = np.where(there, self._delta(lists.rank, lists.length[:, None]), 0.0)
        return np.stack([np.maximum(delta, 0), np.maximum(-delta, 0)], axis=2)

    def _delta(self, rank: np.ndarray, length: "int | np.ndarray") -> Floats:
        """(n_lists, depth) from ranks (n_lists, depth, 2)."""
        first, second = (np.where(rank[:, :, r] == 0, length + 1, rank[:, :, r]).astype(float) for r in (0, 1))
        return 1 / first - 1 / second if self.click_credit == "inverse" else second - first


def allowed_lists(first: Sequence[str], second: Sequence[str]) -> list[tuple[str, ...]]:
    """All lists of the rankings' length whose next document is, at each position, the first that is not in the list yet
    of one ranking or the other."""
    lists: list[tuple[str, ...]] = [()]
    for _ in first:
        longer = dict[tuple[str, ...], None]()
        for one in lists:
            for ranking in (first, second):
                longer[*one, next(docno for docno in ranking if docno not in one)] = None
        lists = list(longer)
    return lists


def fair_probabilities(delta: Floats) -> Floats:
    """How often each list is shown, (n_lists,), from what a click on each position counts, (n_lists, depth).

    Raises `ValueError` where no probabilities are fair.
    """
    from scipy.optimize import linprog

    n_lists, depth = delta.shape
    upto = np.cumsum(delta, axis=1).T  # (depth, n_lists)
    upto[np.abs(upto) < ROUNDING] = 0.0
    solution = linprog(
        -_sensitivity(delta),
        A_eq=np.vstack([upto, np.ones(n_lists)]),
        b_eq=np.append(np.zeros(depth), 1.0),
        bounds=(0, None),
        method="highs",
    )
    if solution.status != 0:
        raise ValueError("no probabilities of the lists are fair to both rankers")
    probability = np.maximum(solution.x, 0)
    shares: Floats = probability / probability.sum()
    return shares


def _sensitivity(delta: Floats) -> Floats:
    share = 1 / np.arange(1, delta.shape[1] + 1)
    share /= share.sum()
    wins, losses = _total(delta > 0, share), _total(delta < 0, share)
    decided = wins + losses
    part = np.divide(wins, decided, out=np.zeros(wins.size), where=decided > 0)
    inside = np.clip(part, 1e-300, 1 - 1e-16)
    entropy = np.where((part > 0) & (part < 1), -part * np.log2(inside) - (1 - part) * np.log2(1 - inside), 0.0)
    return decided * entropy


def _total(where: Bools, share: Floats) -> Floats:
    return where @ share
