"""Queries of this subject: the only place where its rows are read for others."""

from annotation.gold.read.change import GoldChange, pair_in_words
from annotation.gold.read.current import current_gold, found_gold, gold_as_entered, gold_balance
from annotation.gold.read.judged import JudgedGold, judged_gold
from annotation.gold.read.known import IS_GOLD, KnownGrade, Pair, gold_of, known_gold, with_last_event
from annotation.gold.read.supply import BatchSupply, PersonSupply, Supply, supply_of
from annotation.gold.read.told_before import informed_of, told_at

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
    "found_gold",
    "gold_as_entered",
    "gold_balance",
    "gold_of",
    "informed_of",
    "judged_gold",
    "known_gold",
    "pair_in_words",
    "supply_of",
    "told_at",
    "with_last_event",
]
