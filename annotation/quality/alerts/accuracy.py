"""Somebody is right too seldom on gold."""

from collections.abc import Sequence

from annotation.quality.accuracy import Accuracy
from annotation.quality.alerts.alert import Alert, percent
from annotation.quality.alerts.settings import AlertSettings
from annotation.quality.arrays import Bools

RULE = "accuracy"


def inaccurate_people(accuracy: Accuracy, people: Sequence[str], here: Bools, settings: AlertSettings) -> list[Alert]:
    """Of the people `here`, (n_annotators,), those with gold enough who are right on less than the threshold.

    The level is by how much. The words say whether the whole Wilson interval lies below, or only the share itself.
    """
    below = here & (accuracy.n_gold >= settings.golds) & (accuracy.share < settings.accuracy)
    return [
        Alert(RULE, people[i], settings.accuracy - float(accuracy.share[i]), _words(accuracy, i, settings))
        for i in below.nonzero()[0].tolist()
    ]


def _words(accuracy: Accuracy, i: int, settings: AlertSettings) -> str:
    right = f"Right on {accuracy.n_correct[i]} of {accuracy.n_gold[i]} gold pairs ({percent(accuracy.share[i])})"
    if accuracy.high[i] < settings.accuracy:
        return f"{right}: below {percent(settings.accuracy)}, and not by bad luck alone."
    return f"{right}: below {percent(settings.accuracy)}, though so little gold may be bad luck."
