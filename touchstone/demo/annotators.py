"""Simulated annotators: how often each errs, in which direction, and how long it takes. The caller brings the rng.

An annotator is a table of chances: row = true grade, column = the grade given. Good ones err by one
grade as a rule.
"""

from dataclasses import dataclass

import numpy as np

N_GRADES = 5
Chances = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Behaviour:
    """How one simulated annotator judges.

    `chances` has shape (n_grades, n_grades), each row summing to 1; `median_seconds` a judgment, spread log-normally
    by `spread`. Raises ValueError where the table is not square or a row is no distribution.
    """

    name: str
    chances: Chances
    median_seconds: float
    spread: float = 0.4

    def __post_init__(self) -> None:
        table = np.array(self.chances, dtype=np.float64)
        if table.ndim != 2 or table.shape[0] != table.shape[1]:
            raise ValueError(f"{self.name}: a square table expected, not one of shape {table.shape}")
        if (table < 0).any() or not np.allclose(table.sum(axis=1), 1):
            raise ValueError(f"{self.name}: every row must be chances that sum to 1")

    def grade(self, true_grade: int, rng: np.random.Generator) -> int:
        """The grade given to a pair of this true grade; ValueError for a grade outside the table."""
        if not 0 <= true_grade < len(self.chances):
            raise ValueError(f"{self.name}: no grade {true_grade} among {len(self.chances)}")
        return int(rng.choice(len(self.chances), p=self.chances[true_grade]))

    def seconds(self, rng: np.random.Generator) -> float:
        """How long one judgment takes, in seconds; always above 0."""
        return float(self.median_seconds * np.exp(self.spread * rng.standard_normal()))

    def error_rate(self, true_grade: int) -> float:
        """The chance that a pair of this true grade is given another."""
        return 1 - self.chances[true_grade][true_grade]


def slips(error_rate: float, *, upward: float = 0.5, far: float = 0.1, n_grades: int = N_GRADES) -> Chances:
    """Chances of someone who errs to the next grade, or, in a share `far` of the errors, by two.

    `upward` is the share of errors that are too high. At the ends of the scale all errors go the way that is left.
    """
    return tuple(_slipping(grade, error_rate, upward, far, n_grades) for grade in range(n_grades))


def guesses(error_rate: float, *, n_grades: int = N_GRADES) -> Chances:
    """Chances of someone whose errors fall on any other grade alike."""
    other = error_rate / (n_grades - 1)
    return tuple(
        tuple(1 - error_rate if grade == true else other for grade in range(n_grades)) for true in range(n_grades)
    )


def always(grade: int, *, n_grades: int = N_GRADES) -> Chances:
    """Chances of someone who gives one grade to everything."""
    return (tuple(float(other == grade) for other in range(n_grades)),) * n_grades


def _slipping(true: int, error_rate: float, upward: float, far: float, n_grades: int) -> tuple[float, ...]:
    share = {1: upward * (1 - far), -1: (1 - upward) * (1 - far), 2: upward * far, -2: (1 - upward) * far}
    possible = {true + step: part for step, part in share.items() if 0 <= true + step < n_grades and part > 0}
    if not possible:  # every error would leave the scale: it goes to the neighbour that is there
        possible = {true + 1 if true == 0 else true - 1: 1.0}
    whole = sum(possible.values())
    row = {grade: error_rate * part / whole for grade, part in possible.items()}
    return tuple(1 - error_rate if grade == true else row.get(grade, 0.0) for grade in range(n_grades))


CAREFUL = Behaviour("careful", slips(0.04, far=0.0), median_seconds=28)
STEADY = Behaviour("steady", slips(0.08), median_seconds=19)
STRICT = Behaviour("strict", slips(0.11, upward=0.2), median_seconds=23)
LENIENT = Behaviour("lenient", slips(0.12, upward=0.8), median_seconds=16)
BRISK = Behaviour("brisk", slips(0.15, far=0.2), median_seconds=12)

CARELESS = Behaviour("careless", guesses(0.6), median_seconds=15, spread=0.8)
CONSTANT = Behaviour("constant", always(2), median_seconds=13, spread=0.2)
HASTY = Behaviour("hasty", slips(0.6, far=0.4), median_seconds=1.5, spread=0.3)

GOOD = (CAREFUL, STEADY, STRICT, LENIENT, BRISK)
BAD = (CARELESS, CONSTANT, HASTY)

PANEL = (
    Behaviour("thorough", slips(0.05, far=0.0), median_seconds=24),
    Behaviour("even", slips(0.1), median_seconds=21),
    Behaviour("generous", slips(0.16, upward=0.9), median_seconds=20),
    Behaviour("doubtful", slips(0.2, upward=0.2, far=0.2), median_seconds=22),
    Behaviour("distracted", slips(0.35, far=0.3), median_seconds=21),
)
MACHINE = Behaviour("model", slips(0.3, upward=0.85, far=0.25), median_seconds=1)
