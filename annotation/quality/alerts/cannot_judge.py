"""Many cards of one topic could not be judged."""

from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures, Threshold
from annotation.text.counted import counted, percent

RULE = "cannot"
LEAST = 3  # times that somebody could not judge, before a share of them says anything
CANNOT = Threshold(
    "cannot",
    0.1,
    0.01,
    1.0,
    title="Hard to judge: cards of a topic, from %",
    help="That people skipped as not to be judged.",
    share=True,
)


def topics_hard_to_judge(batch: BatchFigures, settings: AlertSettings) -> list[Alert]:
    """Somebody cannot judge where the document is broken or in a foreign language, or the topic unclear. The level is
    the share of cards."""
    return [
        Alert(
            RULE,
            number,
            n_cannot / n_met,
            f"On {n_cannot} of {counted(n_met, 'card')} ({percent(n_cannot / n_met)}) "
            "people said that they cannot judge.",
        )
        for number, n_met, n_cannot in batch.topics
        if n_cannot >= LEAST and n_cannot / n_met >= settings[CANNOT]
    ]


TOPICS_HARD_TO_JUDGE = AlertRule(
    RULE,
    "Hard to judge",
    "Read what people said: the topic may be unclear, or its documents broken.",
    subject="topic",
    worse_by=0.05,
    find=topics_hard_to_judge,
    thresholds=(CANNOT,),
)
