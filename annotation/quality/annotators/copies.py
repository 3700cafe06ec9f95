"""Near-copies: two people who agree far more often than their agreement with everybody else explains.

If people err independently of each other, agreement beyond chance is a product: κ(i, j) = κ(i, rest) κ(j, rest) /
κ(rest, rest), as C. Spearman has it for correlations (The proof and measurement of association between two things,
American Journal of Psychology 15, 1904). Chance is that of both people's habits (J. Cohen 1960), so that two people
who always give the same grade are no copies. Errors in common are what gives copying away, as in X. L. Dong,
L. Berti-Equille and D. Srivastava, Integrating conflicting data: the role of source dependence, VLDB 2 (2009). All is
measured on the pairs that the two share, so that what is easy for all explains itself.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.agreement.rows import agreement_rows
from annotation.quality.annotators.meetings import Meetings, meetings_of, met_on_pairs
from annotation.quality.annotators.third import third_people
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.pairs import find
from annotation.quality.votes import Votes, grade_counts

LEAST = 20  # pairs shared that a third person judged too
FAR = 0.5  # of the way from the agreement explained to full agreement
SURE = 0.001  # expected number of couples so alike by chance, over all couples compared, at most
_PRIOR = 20  # pairs that the agreement of everybody weighs beside that on the pairs of a couple
_ALL = 0.9999  # of the agreement explained: it would take tens of thousands of pairs to tell
_FLOOR = 0.02  # of κ(rest, rest): below, nobody's agreement explains anybody's


@dataclass(frozen=True, eq=False)
class Copies:
    """Couples that share `LEAST` pairs which somebody else judged too, (n_couples,) each, `first` < `second`.

    `by_chance`: how many couples so alike one would expect among all compared, at most.
    """

    first: Ints
    second: Ints
    n: Ints
    same: Ints
    expected: Floats  # share of the same grades that is explained
    by_chance: Floats

    @property
    def beyond(self) -> Floats:
        """0: as explained, or less than that; 1: always the same grade."""
        rest = np.maximum(1 - self.expected, 1e-9)
        return np.asarray(np.maximum(self.same / self.n - self.expected, 0) / rest)

    @property
    def alike(self) -> Bools:
        return np.asarray((self.beyond >= FAR) & (self.by_chance <= SURE))

    @property
    def it_takes(self) -> Floats:
        """How many pairs, all with the same grade, would name the couple; infinite where all agreement is explained."""
        with np.errstate(divide="ignore"):
            found = np.ceil(np.log(SURE / len(self.n)) / np.log(np.minimum(self.expected, 1)))
        return np.where(self.expected < _ALL, np.maximum(np.abs(found), LEAST), np.inf)

    def n_alike(self, n_annotators: int) -> Ints:
        """(n_annotators,): of how many others each is a near-copy."""
        both = np.concatenate([self.first[self.alike], self.second[self.alike]])
        return np.bincount(both, minlength=n_annotators).astype(np.int64)


def near_copies(inputs: Inputs) -> Copies:
    """On ordinary pairs, whoever judged them, excluded or not. Three people who copy from each other vouch for each
    other where hardly anybody else judged."""
    votes, n_annotators = _compared(inputs), max(len(inputs.table.annotators), 1)
    step = inputs.scale.index_of(votes.grade)
    met = meetings_of(votes, step, n_annotators)
    key = met.key[met.n >= LEAST]
    first, second = key // n_annotators, key % n_annotators
    sums = _sums(votes, grade_counts(votes, inputs.scale), step, key, n_annotators)
    n, same = sums[:2]
    habits = _habits(votes, step, n_annotators, len(inputs.scale.grades))
    beside = _beside(met, third_people(votes, met, key), key, habits.sum(axis=0))
    expected = _expected(sums, habits[first], habits[second], habits.sum(axis=0), beside)
    return Copies(first, second, n.astype(np.int64), same.astype(np.int64), expected, _by_chance(same, n, expected))


def _compared(inputs: Inputs) -> Votes:
    """Ordinary pairs of three judgments and more."""
    table = inputs.table
    row = agreement_rows(table, gold=inputs.gold, scale=inputs.scale)
    _, pair, times = np.unique(table.pair[row], return_inverse=True, return_counts=True)
    votes = Votes(pair.astype(np.int64), table.annotator[row], table.grade[row], len(times))
    return votes.of(times > 2)  # a couple and somebody else


def _sums(votes: Votes, counts: Ints, step: Ints, key: Ints, n_annotators: int) -> Floats:
    """(6, n_couples): pairs shared, same grade, agreement of the first and of the second with the rest, pairs with two
    of the rest, and agreement among these."""
    sums = np.zeros((6, len(key)))
    for every, whose in met_on_pairs(votes) if len(key) else ():
        at, known = find(votes.annotator[every] * n_annotators + votes.annotator[whose], key)
        at, one, other = at[known], every[known], whose[known]
        rest, each = counts[votes.pair[one]], np.arange(len(one))
        rest[each, step[one]] -= 1
        rest[each, step[other]] -= 1
        m = rest.sum(axis=1)
        among = (rest * (rest - 1)).sum(axis=1) / np.maximum(m * (m - 1), 1)
        parts = (step[one] == step[other], rest[each, step[one]] / m, rest[each, step[other]] / m, m > 1, among)
        for i, part in enumerate((np.ones(len(one)), *parts)):
            sums[i] += np.bincount(at, weights=part, minlength=len(key))
    return sums


def _habits(votes: Votes, step: Ints, n_annotators: int, n_grades: int) -> Floats:
    cell = votes.annotator * n_grades + step
    counts = np.bincount(cell, minlength=n_annotators * n_grades).reshape(n_annotators, n_grades)
    return np.asarray(counts, dtype=np.float64)


def _expected(sums: Floats, first: Floats, second: Floats, everybody: Floats, beside: Floats) -> Floats:
    """(n_couples,): agreement explained, to the benefit of the couple: each κ with the rest at its upper end."""
    n, _, one_rest, other_rest, n_rest, among = sums
    p, q, r = (part / np.maximum(part.sum(axis=-1, keepdims=True), 1) for part in (first, second, everybody))
    known, usual = (
        _beyond_chance(a / np.maximum(b, 1), np.asarray(r @ r))
        for a, b in ((among, n_rest), (among.sum(), n_rest.sum()))
    )
    rest = (n_rest * known + _PRIOR * np.where(n_rest < LEAST, beside, usual)) / (n_rest + _PRIOR)

    def upper(total: Floats, chance: Floats) -> Floats:
        share = total / np.maximum(n, 1)
        return np.clip(_beyond_chance(np.minimum(share + _error(share, n), 1), chance), 0, 1)

    explained = np.minimum(upper(one_rest, p @ r) * upper(other_rest, q @ r) / np.maximum(rest, _FLOOR), 1)
    chance = (p * q).sum(axis=1)
    return np.asarray(chance + (1 - chance) * explained)


def _beside(met: Meetings, third: tuple[Floats, Floats], key: Ints, everybody: Floats) -> Floats:
    """(n_couples,): κ(rest, rest) where few pairs of the couple have two of the rest, at its lower end.

    Of all but the couple among each other, o². The only other on a pair may be worse than they are: κ with them is c·o,
    which gives c².
    """
    r = everybody / max(everybody.sum(), 1)
    of_others, with_others = (
        np.maximum(_beyond_chance(share - _error(share, n), np.asarray(r @ r)), 0)
        for same, n in (met.without(key), third)
        for share in [same / np.maximum(n, 1)]
    )
    worse = with_others**2 / np.maximum(of_others, _FLOOR)
    return np.asarray(np.where(third[1] > 0, np.minimum(of_others, worse), of_others))


def _error(share: Floats, n: Floats) -> Floats:
    return np.asarray(np.sqrt((share * (1 - share) + 1 / np.maximum(n, 1)) / np.maximum(n, 1)))


def _beyond_chance(share: Floats, chance: Floats) -> Floats:
    return np.asarray((share - chance) / np.maximum(1 - chance, 1e-9))


def _by_chance(same: Floats, n: Floats, expected: Floats) -> Floats:
    """W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58 (1963), theorem 1: of n
    chances of mean p, a share q > p comes with probability exp(−n KL(q, p)) at most; times the couples compared."""
    q, p = same / np.maximum(n, 1), np.clip(expected, 1e-12, 1 - 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(q > 0, q * np.log(q / p), 0.0) + np.where(q < 1, (1 - q) * np.log((1 - q) / (1 - p)), 0.0)
    return np.asarray(np.where(q > p, np.exp(-n * far), 1.0) * len(n))
