"""What a judgment costs, as a bundle spells it: one sum, one spelling on every database."""

from decimal import Decimal


def sum_of(cost: Decimal | None) -> str | None:
    return None if cost is None else f"{cost:.4f}"


def cost_of(told: str | None) -> Decimal | None:
    return None if told is None else Decimal(told)
