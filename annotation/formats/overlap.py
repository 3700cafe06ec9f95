"""How far a batch is whose pairs get as many judgments as they need, as `rows` makes CSV of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PathLine:
    """Pairs that have `judgments` of them; `said`: mean probability of the right grade of the gold pairs, `right`: how
    large a share of these truly is; `learned_on`: how many gold pairs have come so far, to learn from."""

    judgments: int
    sure_enough: int
    in_doubt_at_the_end: int
    one_more_asked_for: int
    gold_pairs: int
    said: float | None
    right: float | None
    right_low: float | None
    right_high: float | None
    learned_on: int
