"""How often two people give the same grade if they err independently: Spearman's product of agreements."""

import numpy as np

from annotation.quality.arrays import Floats, Ints
from annotation.quality.pairs import find
from annotation.quality.votes import Votes, met_on_pairs

LEAST = 20  # pairs shared that a third person judged too
_PRIOR = 20  # pairs that the agreement of everybody weighs beside that on the pairs of a couple
_FLOOR = 0.02  # of κ(rest, rest): below, nobody's agreement explains anybody's


def sums_of(votes: Votes, counts: Ints, step: Ints, key: Ints, n_annotators: int) -> Floats:
    """(6, n_couples): pairs shared, same grade, agreement of the first and of the second with the rest, pairs with two
    of the rest, and agreement among these."""
    sums = np.zeros((6, len(key)))
    for every, whose in met_on_pairs(votes) if len(key) else ():
        at, is_there = find(votes.annotator[every] * n_annotators + votes.annotator[whose], key)
        at, one, other = at[is_there], every[is_there], whose[is_there]
        rest, each = counts[votes.pair[one]], np.arange(len(one))
        rest[each, step[one]] -= 1
        rest[each, step[other]] -= 1
        m = rest.sum(axis=1)
        among = (rest * (rest - 1)).sum(axis=1) / np.maximum(m * (m - 1), 1)
        parts = (step[one] == step[other], rest[each, step[one]] / m, rest[each, step[other]] / m, m > 1, among)
        for i, part in enumerate((np.ones(len(one)), *parts)):
            sums[i] += np.bincount(at, weights=part, minlength=len(key))
    return sums


def explained(sums: Floats, first: Floats, second: Floats, everybody: Floats, beside: Floats) -> Floats:
    """(n_couples,): agreement explained, to the benefit of the couple: each κ with the rest at its upper end."""
    n, _, one_rest, other_rest, n_rest, among = sums
    p, q, r = (part / np.maximum(part.sum(axis=-1, keepdims=True), 1) for part in (first, second, everybody))
    own, usual = (
        beyond_chance(a / np.maximum(b, 1), np.asarray(r @ r))
        for a, b in ((among, n_rest), (among.sum(), n_rest.sum()))
    )
    rest = (n_rest * own + _PRIOR * np.where(n_rest < LEAST, beside, usual)) / (n_rest + _PRIOR)

    def upper(total: Floats, chance: Floats) -> Floats:
        share = total / np.maximum(n, 1)
        return np.clip(beyond_chance(np.minimum(share + error_of(share, n), 1), chance), 0, 1)

    explained = np.minimum(upper(one_rest, p @ r) * upper(other_rest, q @ r) / np.maximum(rest, _FLOOR), 1)
    chance = (p * q).sum(axis=1)
    return np.asarray(chance + (1 - chance) * explained)


def beside_couples(others: tuple[Floats, Floats], third: tuple[Floats, Floats], everybody: Floats) -> Floats:
    """(n_couples,): κ(rest, rest) where few pairs of the couple have two of the rest, at its lower end.

    `others`: how often all but the couple agree among each other, o². The only other on a pair may be worse than they
    are: κ with them (`third`) is c·o, which gives c².
    """
    r = everybody / max(everybody.sum(), 1)
    of_others, with_others = (
        np.maximum(beyond_chance(share - error_of(share, n), np.asarray(r @ r)), 0)
        for same, n in (others, third)
        for share in [same / np.maximum(n, 1)]
    )
    worse = with_others**2 / np.maximum(of_others, _FLOOR)
    return np.asarray(np.where(third[1] > 0, np.minimum(of_others, worse), of_others))


def error_of(share: Floats, n: Floats) -> Floats:
    return np.asarray(np.sqrt((share * (1 - share) + 1 / np.maximum(n, 1)) / np.maximum(n, 1)))


def beyond_chance(share: Floats, chance: Floats) -> Floats:
    return np.asarray((share - chance) / np.maximum(1 - chance, 1e-9))


def by_chance(same: Floats, n: Floats, expected: Floats) -> Floats:
    """W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58 (1963), theorem 1: of n
    chances of mean p, a share q > p comes with probability exp(−n KL(q, p)) at most."""
    q, p = same / np.maximum(n, 1), np.clip(expected, 1e-12, 1 - 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(q > 0, q * np.log(q / p), 0.0) + np.where(q < 1, (1 - q) * np.log((1 - q) / (1 - p)), 0.0)
    return np.asarray(np.where(q > p, np.exp(-n * far), 1.0))
