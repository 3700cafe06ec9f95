"""Somebody cannot meet gold enough before the batch ends."""

from annotation.quality.alerts.accuracy import GOLDS
from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures
from annotation.text.counted import counted

RULE = "gold"


def people_short_of_gold(batch: BatchFigures, settings: AlertSettings) -> list[Alert]:
    """In a batch with gold, those who will stay unproven: the gold they judged and the gold still laid out for them
    come to less than is needed. The level is how many are missing."""
    if not batch.has_gold:
        return []
    n_gold, n_ahead, needed = batch.accuracy.n_gold, batch.n_gold_ahead, settings[GOLDS]
    short = batch.judging & (n_gold + n_ahead < needed)
    return [
        Alert(
            RULE,
            batch.people[i],
            float(needed - n_gold[i] - n_ahead[i]),
            f"{_judged(int(n_gold[i]))}, {n_ahead[i]} still to come in this batch: short of the {needed} "
            "that it takes to be believed.",
        )
        for i in short.nonzero()[0].tolist()
    ]


def _judged(n: int) -> str:
    return f"{counted(n, 'gold pair')} judged"


PEOPLE_SHORT_OF_GOLD = AlertRule(
    RULE,
    "Too little gold",
    "They stay unproven: set more gold for the next batch, or choose a policy that counts them.",
    subject="gold of a person",
    worse_by=1.0,
    find=people_short_of_gold,
)
