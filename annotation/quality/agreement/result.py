"""What every coefficient gives: a number, or the reason why there is none."""

from dataclasses import dataclass

ALIKE = "All judgments compared have one and the same grade: nothing tells agreement from chance."


@dataclass(frozen=True)
class Agreement:
    """Either `value`, or None and a `reason` in plain words; never both.

    The counts are of what was compared: items with at least two judgments, the judgments on them, the people who gave
    them (0 where only a table of counts was given, which does not know people).
    """

    value: float | None
    reason: str
    n_items: int
    n_judgments: int
    n_annotators: int
    observed: float | None = None  # agreement seen and agreement expected by chance, for coefficients that compare them
    expected: float | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (not self.reason):
            raise ValueError("an agreement has either a value or a reason why there is none")

    @property
    def defined(self) -> bool:
        return self.value is not None
