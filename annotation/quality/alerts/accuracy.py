"""Somebody is right too seldom on gold."""

from annotation.quality.accuracy import Accuracy
from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures, Threshold
from annotation.text.counted import counted, percent

RULE = "accuracy"
ACCURACY = Threshold(
    "accuracy",
    0.7,
    0.05,
    1.0,
    title="Wrong on gold: right on less than, %",
    help="The default policy counts people from 70 % on.",
    share=True,
)
GOLDS = Threshold(
    "golds",
    10,
    1,
    500,
    title="Gold judgments a person needs",
    help="Before that nobody is called wrong; who cannot reach it is named.",
)


def inaccurate_people(batch: BatchFigures, settings: AlertSettings) -> list[Alert]:
    """Of those who judge, those with gold enough who are right on less than the threshold.

    The level is by how much. The words say whether the whole Wilson interval lies below, or only the share itself.
    """
    accuracy, threshold = batch.accuracy, settings[ACCURACY]
    below = batch.started & (accuracy.n_gold >= settings[GOLDS]) & (accuracy.share < threshold)
    return [
        Alert(RULE, batch.people[i], threshold - float(accuracy.share[i]), _words(accuracy, i, threshold))
        for i in below.nonzero()[0].tolist()
    ]


def _words(accuracy: Accuracy, i: int, threshold: float) -> str:
    of = counted(int(accuracy.n_gold[i]), "gold pair")
    right = f"Right on {accuracy.n_correct[i]} of {of} ({percent(accuracy.share[i])})"
    if accuracy.high[i] < threshold:
        return f"{right}: below {percent(threshold)}, and not by bad luck alone."
    return f"{right}: below {percent(threshold)}, though so little gold may be bad luck."


INACCURATE_PEOPLE = AlertRule(
    RULE,
    "Wrong on gold",
    "Look at the person’s errors; pause or exclude them if you agree.",
    subject="person",
    worse_by=0.05,
    find=inaccurate_people,
    thresholds=(ACCURACY, GOLDS),
)
