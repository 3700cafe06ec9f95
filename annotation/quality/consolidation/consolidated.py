"""What every consolidator returns, and what it may know beside the votes."""

from dataclasses import dataclass, replace

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.filtering import Reason
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

TIE = 1e-9  # shares and probabilities closer than this are equal: rounding never decides
DIGITS = 6  # of a model's confidence: what a processor rounds differently is cut off, so that snapshots rebuild


@dataclass(frozen=True, eq=False)
class Consolidated:
    """(n_pairs,) each. `grade` is on the scale; `confidence` lies in 0..1 and each consolidator says what it means.

    `reason`: `Reason.KEPT` where there is a grade, else why there is none; grade and confidence mean nothing then.
    """

    grade: Ints
    confidence: Floats
    reason: Ints


@dataclass(frozen=True, eq=False)
class Known:
    """What gold tells a consolidator.

    `pair`: (n_known,), ascending numbers of pairs whose grade is known; `accepted`: (n_known, n_grades), the grades
    that are right there. `n_gold` and `n_correct`: (n_annotators,), judgments on gold and those that were right.
    """

    pair: Ints
    accepted: Bools
    n_gold: Ints
    n_correct: Ints

    def of(self, chosen: Bools) -> "Known":
        """What is known of the chosen pairs, (n_pairs,), which are numbered anew as `Votes.of` does."""
        kept = chosen[self.pair]
        new = (np.cumsum(chosen) - 1)[self.pair[kept]]
        return replace(self, pair=new.astype(np.int64), accepted=self.accepted[kept])


def nothing_known(scale: Scale) -> Known:
    """No gold at all."""
    none = np.zeros(0, dtype=np.int64)
    return Known(none, np.zeros((0, len(scale.grades)), dtype=np.bool_), none, none)


def without_votes(votes: Votes) -> Bools:
    """(n_pairs,): True where nobody voted; such a pair gets no grade."""
    return np.asarray(votes.n == 0)


def consolidated(grade: Ints, confidence: Floats, votes: Votes) -> Consolidated:
    """Every pair with a vote has its grade; the others have none, and confidence 0."""
    none = without_votes(votes)
    reason = np.where(none, Reason.TOO_FEW, Reason.KEPT).astype(np.int64)
    return Consolidated(grade.astype(np.int64), np.where(none, 0.0, confidence), reason)


def most_probable(posterior: Floats, votes: Votes, scale: Scale) -> Consolidated:
    """(n_pairs, n_grades) → the most probable grade, of equally probable ones the lowest; confidence = its
    probability, to six digits."""
    best = posterior.max(axis=1, keepdims=True) if len(posterior) else posterior
    first = (posterior >= best - TIE).argmax(axis=1)
    confidence = np.take_along_axis(posterior, first[:, None], axis=1)[:, 0]
    return consolidated(scale.values[first], np.round(confidence, DIGITS), votes)
