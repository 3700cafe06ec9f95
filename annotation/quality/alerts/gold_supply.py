"""Somebody cannot meet gold enough before the batch ends."""

from collections.abc import Sequence

from annotation.quality.alerts.alert import Alert
from annotation.quality.alerts.settings import AlertSettings
from annotation.quality.arrays import Bools, Ints

RULE = "gold"


def people_short_of_gold(
    n_gold: Ints, n_ahead: Ints, people: Sequence[str], here: Bools, settings: AlertSettings
) -> list[Alert]:
    """Of the people `here`, (n_annotators,), those who will stay unproven: the gold they judged, `n_gold`, and the gold
    still laid out for them, `n_ahead`, come to less than is needed. The level is how many are missing."""
    short = here & (n_gold + n_ahead < settings.golds)
    return [
        Alert(
            RULE,
            people[i],
            float(settings.golds - n_gold[i] - n_ahead[i]),
            f"{_judged(int(n_gold[i]))}, {n_ahead[i]} still to come in this batch: short of the {settings.golds} "
            "that it takes to be believed.",
        )
        for i in short.nonzero()[0].tolist()
    ]


def _judged(n: int) -> str:
    return f"{n} gold pair{'' if n == 1 else 's'} judged"
