"""The flow of gold, in verbs; transactions live here."""

from annotation.gold.steps.corrections import ANY, corrections_in_words, corrections_of
from annotation.gold.steps.events import (
    GoldEntry,
    GoldError,
    GoldTaken,
    append_gold,
    compare_gold,
    gold_in_words,
    set_gold,
    withdraw_gold,
)
from annotation.gold.steps.feedback import ask_for_feedback, sweep_feedback
from annotation.gold.steps.files import gold_entries, note_misfit, refuse_unmapped, take_gold_from_file
from annotation.gold.steps.qrels import take_gold_from_snapshot

__all__ = [
    "ANY",
    "GoldEntry",
    "GoldError",
    "GoldTaken",
    "append_gold",
    "ask_for_feedback",
    "compare_gold",
    "corrections_in_words",
    "corrections_of",
    "gold_entries",
    "gold_in_words",
    "note_misfit",
    "refuse_unmapped",
    "set_gold",
    "sweep_feedback",
    "take_gold_from_file",
    "take_gold_from_snapshot",
    "withdraw_gold",
]
