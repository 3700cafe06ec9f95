"""The flow of this subject, in verbs; transactions live here."""

from annotation.gold.steps.corrections import ANY, corrections_of, told
from annotation.gold.steps.events import GoldTaken, Wanted, take_wanted
from annotation.gold.steps.feedback import ask_for_feedback, sweep_feedback
from annotation.gold.steps.fit import note_misfit
from annotation.gold.steps.gold import (
    GoldRefused,
    compare_gold,
    refuse_unmapped,
    set_gold,
    take_gold_from_file,
    take_gold_from_snapshot,
    wanted_gold,
    withdraw_gold,
)
from annotation.gold.steps.record import gold_in_words, record_gold

__all__ = [
    "ANY",
    "GoldRefused",
    "GoldTaken",
    "Wanted",
    "ask_for_feedback",
    "compare_gold",
    "corrections_of",
    "gold_in_words",
    "note_misfit",
    "record_gold",
    "refuse_unmapped",
    "set_gold",
    "sweep_feedback",
    "take_gold_from_file",
    "take_gold_from_snapshot",
    "take_wanted",
    "told",
    "wanted_gold",
    "withdraw_gold",
]
