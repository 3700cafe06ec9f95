"""Gold: as it stands, what people made of it, whom a change would touch, and what is objected to."""

from annotation.queries.gold.current import (
    TopicGold,
    current_gold,
    found_gold,
    gold_as_entered,
    gold_balance,
)

__all__ = [
    "TopicGold",
    "current_gold",
    "found_gold",
    "gold_as_entered",
    "gold_balance",
]
