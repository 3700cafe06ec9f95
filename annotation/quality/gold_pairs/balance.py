"""How gold is spread over grades and topics, and who would pass on it without reading."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints, crosstab, tally


@dataclass(frozen=True, eq=False)
class Balance:
    """Grades are places on the scale. `constant`: the share of gold on which always giving that grade is right."""

    constant: Floats  # (n_grades,); 0 where there is no gold
    missing: Ints  # grades that no pair has
    one_grade_topics: Ints  # topics of two pairs or more, all of the same grade

    @property
    def best(self) -> int:
        """The grade that is right most often; the lowest of several."""
        return int(self.constant.argmax())

    @property
    def best_share(self) -> float:
        return float(self.constant.max())


def balance_of(step: Ints, accepted: Bools, topic: Ints) -> Balance:
    """`step`, `topic`: (n_gold,), place of the gold grade and any code of the topic. `accepted`: (n_gold, n_grades)."""
    n_gold, n_grades = accepted.shape
    n_of_grade = tally(step, n_grades)
    topics, index = np.unique(topic, return_inverse=True)
    of_topic = crosstab(index, step, len(topics), n_grades)
    of_one_grade = (of_topic.sum(axis=1) > 1) & ((of_topic > 0).sum(axis=1) == 1)
    return Balance(
        constant=accepted.sum(axis=0) / max(n_gold, 1),
        missing=np.flatnonzero(n_of_grade == 0).astype(np.int64),
        one_grade_topics=topics[of_one_grade].astype(np.int64),
    )
