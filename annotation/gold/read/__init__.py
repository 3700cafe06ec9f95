"""Queries of this subject: the only place where its rows are read for others."""

from annotation.gold.read.current import (
    GoldChange,
    current_gold,
    gold_as_entered,
    gold_balance,
    gold_rows,
    pair_in_words,
)
from annotation.gold.read.judged import JudgedGold, judged_gold
from annotation.gold.read.known_grades import (
    IS_GOLD,
    KnownGrade,
    Pair,
    gold_of,
    informed_of,
    known_gold,
    told_at,
    with_last_event,
)
from annotation.gold.read.supply import BatchSupply, PersonSupply, Supply, supply_of

__all__ = [
    "IS_GOLD",
    "BatchSupply",
    "GoldChange",
    "JudgedGold",
    "KnownGrade",
    "Pair",
    "PersonSupply",
    "Supply",
    "current_gold",
    "gold_as_entered",
    "gold_balance",
    "gold_of",
    "gold_rows",
    "informed_of",
    "judged_gold",
    "known_gold",
    "pair_in_words",
    "supply_of",
    "told_at",
    "with_last_event",
]
