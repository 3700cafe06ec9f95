"""Near-copies: two people who agree far more often than their agreement with everybody else explains.

If people err independently of each other, agreement beyond chance is a product: κ(i, j) = κ(i,
rest) κ(j, rest) / κ(rest, rest), as C. Spearman has it for correlations (The proof and measurement
of association between two things, American Journal of Psychology 15, 1904). Chance is that of both
people's habits (J. Cohen 1960), so that two people who always give the same grade are no copies.
Errors in common are what gives copying away, as in X. L. Dong, L. Berti-Equille and D. Srivastava,
Integrating conflicting data: the role of source dependence, VLDB 2 (2009). All is measured on the
pairs that the two share, so that what is easy for all explains itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from annotation.quality.agreement.rows import agreement_votes
from annotation.quality.annotators.expected_agreement import LEAST, beside_couples, by_chance, explained, sums_of
from annotation.quality.annotators.groups import FAR, SURE, Field, Left, copying_groups
from annotation.quality.annotators.shared_pairs import meetings_of, third_people
from annotation.quality.arrays import Bools, Floats, Ints, crosstab, tally
from annotation.quality.inputs import Inputs
from annotation.quality.votes import Votes, grade_counts

_ALL = 0.9999  # of the agreement explained: it would take tens of thousands of pairs to tell


@dataclass(frozen=True, eq=False)
class Copies:
    """Couples that share `LEAST` pairs which somebody else judged too, (n_couples,) each, `first` < `second`.

    `by_chance`: how many couples so alike one would expect among all compared, at most. `left_out`: how many others, as
    alike, were left out of what explains the agreement; 0 but for groups.
    """

    first: Ints
    second: Ints
    n: Ints
    same: Ints
    expected: Floats  # share of the same grades that is explained
    by_chance: Floats
    left_out: Ints

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
            n = np.ceil(np.log(SURE / len(self.n)) / np.log(np.minimum(self.expected, 1)))
        return np.where(self.expected < _ALL, np.maximum(np.abs(n), LEAST), np.inf)

    def n_compared(self, n_annotators: int) -> Ints:
        """(n_annotators,): with how many others each could be compared."""
        return tally(np.concatenate([self.first, self.second]), n_annotators)

    def n_alike(self, n_annotators: int) -> Ints:
        """(n_annotators,): of how many others each is a near-copy."""
        both = np.concatenate([self.first[self.alike], self.second[self.alike]])
        return tally(both, n_annotators)


def near_copies(inputs: Inputs) -> Copies:
    """On ordinary pairs, whoever judged them, excluded or not. Three people and more who copy from each other vouch for
    each other: such groups are looked for besides (`copying_groups`)."""
    votes, n_annotators = _compared(inputs), max(len(inputs.table.annotators), 1)
    step = inputs.scale.index_of(votes.grade)
    met = meetings_of(votes, step, n_annotators)
    key = met.key[met.n >= LEAST]
    first, second = key // n_annotators, key % n_annotators
    sums = sums_of(votes, grade_counts(votes, inputs.scale), step, key, n_annotators)
    n, same = sums[:2]
    habits = _habits(votes, step, n_annotators, len(inputs.scale.grades))
    everybody = habits.sum(axis=0)
    beside = beside_couples(met.without(key), third_people(votes, met, key), everybody)
    expected = explained(sums, habits[first], habits[second], everybody, beside)
    chance = by_chance(same, n, expected) * len(n)
    whole = np.zeros(len(n), dtype=np.int64)
    copies = Copies(first, second, n.astype(np.int64), same.astype(np.int64), expected, chance, whole)
    return _with_groups(copies, copying_groups(Field(votes, inputs.scale, met, habits), key, free=~copies.alike))


def _with_groups(copies: Copies, groups: Mapping[int, Left]) -> Copies:
    """The couples that are alike once others are left out, as they are then."""
    n, same, left_out = copies.n.copy(), copies.same.copy(), copies.left_out.copy()
    expected, chance = copies.expected.copy(), copies.by_chance.copy()
    for at, left in groups.items():
        n[at], same[at], left_out[at] = left.n, left.same, left.n_left_out
        expected[at], chance[at] = left.expected, left.by_chance
    return Copies(copies.first, copies.second, n, same, expected, chance, left_out)


def _compared(inputs: Inputs) -> Votes:
    """Ordinary pairs of three judgments and more."""
    votes, _ = agreement_votes(inputs, with_excluded=True)
    return votes.of(votes.n > 2)  # a couple and somebody else


def _habits(votes: Votes, step: Ints, n_annotators: int, n_grades: int) -> Floats:
    return crosstab(votes.annotator, step, n_annotators, n_grades).astype(np.float64)
