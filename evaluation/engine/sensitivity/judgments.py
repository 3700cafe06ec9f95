"""The pairs that a policy decides on as pairs of qrels, and the grade that any policy gives each of them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from annotation.quality.apply import apply_policy
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.pairs import find
from annotation.quality.policy import Policy
from evaluation.engine.arrays import Bools, Ints
from evaluation.engine.qrels import Qrels
from evaluation.engine.sensitivity.cases import UNJUDGED


@dataclass(frozen=True, eq=False)
class Judgments:
    """Judgments of several annotators, and the policy that makes the qrels as they stand of them.

    Pairs are those of the topics of which the policy keeps something, dropped ones among them.
    """

    inputs: Inputs
    policy: Policy
    outcome: Outcome = field(repr=False)
    pairs: Qrels = field(repr=False)
    key: Ints = field(repr=False)  # (n_pairs,) of the table, ascending
    order: Ints = field(repr=False)  # (n_pairs,) where the pair of each key stands in `pairs`

    @property
    def annotators(self) -> list[int]:
        """Codes of those whose judgments the policy believes, and who have one."""
        people = self.outcome.people
        return np.flatnonzero(people.believed & (people.n_counted > 0)).tolist()

    @property
    def n_judged(self) -> Ints:
        """How many of their judgments count, (n_annotators,)."""
        return self.outcome.people.n_counted[self.annotators]

    @property
    def names(self) -> list[str]:
        """Their pseudonyms."""
        return [self.inputs.table.annotators[code] for code in self.annotators]

    def grade(self, outcome: Outcome) -> Ints:
        """What an outcome of these judgments gives each pair, (n_pairs,); −1 where it keeps no grade."""
        index, is_here = self.find(outcome.table.keys_of(outcome))
        taken = is_here & outcome.kept
        grade = np.full(self.key.size, UNJUDGED)
        grade[index[taken]] = outcome.grade[taken]
        return grade

    def find(self, key: Ints) -> tuple[Ints, Bools]:
        """`(place in pairs, is it there)` of keys of the table, (n,) each."""
        at, is_here = find(key, self.key)
        return self.order[at], is_here

    def under(self, policies: Iterable[Policy]) -> Ints:
        """The grades that each policy gives, (n_policies, n_pairs)."""
        return self._table(self.grade(apply_policy(self.inputs, policy)) for policy in policies)

    def without(self, left_out: Iterable[Collection[int]]) -> Ints:
        """The grades with these annotators left out, whatever else the policy says. (n_cases, n_pairs)"""
        excluded = self.inputs.excluded
        cases = (replace(self.inputs, excluded=excluded | frozenset(codes)) for codes in left_out)
        return self._table(self.grade(apply_policy(inputs, self.policy)) for inputs in cases)

    def _table(self, grades: Iterable[Ints]) -> Ints:
        rows = list(grades)
        return np.stack(rows) if rows else np.zeros((0, self.key.size), np.int64)


def judgments_of(inputs: Inputs, policy: Policy) -> Judgments:
    """Raises `ValueError` where the policy keeps no pair."""
    outcome = apply_policy(inputs, policy)
    if not outcome.n_kept:
        raise ValueError("the policy keeps no pair of these judgments: there is nothing to evaluate against")
    at = np.flatnonzero(np.isin(outcome.topic, np.unique(outcome.topic[outcome.kept])))
    table = outcome.table
    pairs = Qrels.of(
        [table.numbers[topic] for topic in outcome.topic[at].tolist()],
        [table.docnos[document] for document in outcome.document[at].tolist()],
        np.arange(at.size),
    )
    key = table.keys_of(outcome)[at][pairs.grade]
    grade = np.where(outcome.kept, outcome.grade, UNJUDGED)[at][pairs.grade]
    order = np.argsort(key)
    return Judgments(inputs, policy, outcome, replace(pairs, grade=grade), key[order], order)
