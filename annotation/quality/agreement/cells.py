"""How far each person agrees with the others on each topic, of those topics and people that tell most."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.percent import agreement_by_topic
from annotation.quality.arrays import Bools, Floats, Ints, crosstab, divided
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

LEAST = 5  # pairs judged by others too, before a cell says anything
MOST_TOPICS, MOST_PEOPLE = 30, 20


@dataclass(frozen=True, eq=False)
class Cells:
    """`topic`, (n_topics,), and `who`, (n_people,), are codes; `n` and `share` are (n_topics, n_people): a person's
    pairs of a topic that others judged too, and the share of the others with the same grade, averaged over them; NaN
    where there are none. `of_topics`, `of_people`: of how many with a cell that rests on enough these were chosen."""

    topic: Ints
    who: Ints
    n: Ints
    share: Floats
    of_topics: int
    of_people: int

    @property
    def is_sure(self) -> Bools:
        """(n_topics, n_people): whether a cell rests on enough."""
        return np.asarray(self.n >= LEAST)


def telling_cells(votes: Votes, counts: GradeCounts, scale: Scale, n_topics: int) -> Cells:
    """`counts`: of the votes, with the topics of their pairs.

    Of many, the topics on which people agree least, and of people those who share most of their pairs with others.
    Topics and people stand in the order of their agreement, the lowest first."""
    assert counts.topic is not None
    shared = counts.shared[votes.pair]
    pair, who, grade = votes.pair[shared], votes.annotator[shared], votes.grade[shared]
    topic, n_people = counts.topic[pair], int(who.max(initial=0)) + 1
    key, n = np.unique(topic * n_people + who, return_counts=True)
    sure_topic, sure_who, n_sure = key[n >= LEAST] // n_people, key[n >= LEAST] % n_people, n[n >= LEAST]
    every_topic, every_who = np.unique(sure_topic), np.unique(sure_who)
    topics = _lowest(every_topic, agreement_by_topic(counts, n_topics).pairwise)[:MOST_TOPICS]
    of_these = np.isin(sure_topic, topics)
    n_met = np.bincount(sure_who[of_these], weights=n_sure[of_these], minlength=n_people)
    people = _lowest(np.unique(sure_who[of_these]), np.asarray(-n_met, dtype=np.float64))[:MOST_PEOPLE]
    row, column = _new_codes(topics, n_topics)[topic], _new_codes(people, n_people)[who]
    here = (row >= 0) & (column >= 0)
    row, column, pair = row[here], column[here], pair[here]
    shape = len(topics), len(people)
    n_same = counts.counts[pair, scale.index_of(grade[here])] - 1
    n_cell = crosstab(row, column, *shape)
    total = np.bincount(row * shape[1] + column, weights=n_same / (counts.n[pair] - 1), minlength=n_cell.size)
    share = divided(total.reshape(shape), n_cell)
    with_any = (n_cell >= LEAST).any(axis=1)
    by_person = np.argsort(divided(total.reshape(shape).sum(axis=0), n_cell.sum(axis=0)), kind="stable")
    return Cells(
        topics[with_any],
        people[by_person],
        n_cell[with_any][:, by_person],
        share[with_any][:, by_person],
        len(every_topic),
        len(every_who),
    )


def _lowest(code: Ints, values: Floats) -> Ints:
    """The codes by their values, the lowest first."""
    return code[np.argsort(values[code], kind="stable")]


def _new_codes(code: Ints, n: int) -> Ints:
    """(n,): where each code stands, −1 where it does not."""
    new_code = np.full(n, -1, dtype=np.int64)
    new_code[code] = np.arange(len(code))
    return new_code
