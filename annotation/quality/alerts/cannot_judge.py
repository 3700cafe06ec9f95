"""Many cards of one topic could not be judged."""

from collections.abc import Iterable

from annotation.quality.alerts.alert import Alert, percent
from annotation.quality.alerts.settings import AlertSettings

RULE = "cannot"
LEAST = 3  # times that somebody could not judge, before a share of them says anything


def topics_hard_to_judge(topics: Iterable[tuple[str, int, int]], settings: AlertSettings) -> list[Alert]:
    """`topics`: number, cards that people met, and those of them that they could not judge (the document broken or in a
    foreign language, the topic unclear). The level is the share."""
    return [
        Alert(
            RULE,
            number,
            n_cannot / n_met,
            f"On {n_cannot} of {n_met} cards ({percent(n_cannot / n_met)}) people said that they cannot judge.",
        )
        for number, n_met, n_cannot in topics
        if n_cannot >= LEAST and n_cannot / n_met >= settings.cannot
    ]
