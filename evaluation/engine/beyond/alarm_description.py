"""All figures of a detector's scores that what is known of them allows."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from evaluation.engine.beyond.alarms import (
    Cost,
    Delay,
    Detection,
    alarm_cost,
    average_precision,
    detection_at,
    partial_auc,
    time_to_detection,
)

FALSE_RATE = 0.01


@dataclass(frozen=True)
class AlarmDescription:
    """None: what it needs was not named. Partial areas end at the rate of false alarms of `detection`."""

    false_rate: float  # the one that was asked for
    detection: Detection
    average_precision: float
    auc: float
    partial_auc: float | None
    partial_auc_standardised: float | None
    threshold: float | None
    cost: Cost | None
    delay: Delay | None


def describe_alarms(
    score: ArrayLike,
    positive: ArrayLike,
    *,
    false_rate: float = FALSE_RATE,
    threshold: float | None = None,
    false_alarm: float | None = None,
    miss: float | None = None,
    time: ArrayLike | None = None,
    event: ArrayLike | None = None,
) -> AlarmDescription:
    """Arguments as those of each figure; cost needs a threshold and both costs, time to detection a threshold, times
    and events. Raises `ValueError` as each of them, and for one cost without the other."""
    if (false_alarm is None) != (miss is None):
        raise ValueError("the cost of a false alarm and that of a miss go together")
    if miss is not None and threshold is None:
        raise ValueError("costs need a threshold")
    cost = delay = None
    if threshold is not None and false_alarm is not None and miss is not None:
        cost = alarm_cost(score, positive, threshold=threshold, false_alarm=false_alarm, miss=miss)
    if threshold is not None and time is not None and event is not None:
        delay = time_to_detection(time, score, event, threshold=threshold)
    partial = [
        partial_auc(score, positive, false_rate=false_rate, standardised=standardised) if false_rate > 0 else None
        for standardised in (False, True)
    ]
    return AlarmDescription(
        false_rate=false_rate,
        detection=detection_at(score, positive, false_rate=false_rate),
        average_precision=average_precision(score, positive),
        auc=partial_auc(score, positive),
        partial_auc=partial[0],
        partial_auc_standardised=partial[1],
        threshold=threshold,
        cost=cost,
        delay=delay,
    )
