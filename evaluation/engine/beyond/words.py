"""What lists and alarms show, in sentences that say what the numbers say and no more."""

import math

from annotation.text.counted import counted, percent
from evaluation.engine.beyond.alarm_description import AlarmDescription
from evaluation.engine.beyond.alarms import Cost, Delay
from evaluation.engine.beyond.description import ListDescription

FEW_ANOMALIES, FEW_LISTS = 30, 30


def words_of_lists(lists: ListDescription) -> list[str]:
    """What is shown first, then to whom and how unlike; what is not known is not said."""
    lines = [_shown(lists), _empty(lists)] if lists.catalogue_coverage is not None else [_empty(lists)]
    if lists.hit_rate is not None:
        hits = percent(lists.hit_rate, 1)
        lines.append(f"{hits} of those with a relevant item have one among their first {lists.k}.")
    if lists.n_without_list:
        lines.append(f"{counted(lists.n_without_list, 'person', 'people')} with a relevant item got no list: no hit.")
    if lists.gini_of_catalogue is not None:
        lines.append(f"The Gini of exposure is {lists.gini_of_catalogue:.2f}: 0 is all alike, 1 one item alone.")
    if lists.popularity_bias is not None:
        lines.append(f"What is shown is {lists.popularity_bias:.2f} times as popular as the catalogue on average.")
    if lists.diversity is not None:
        lines.append(f"Two items of a list differ by {lists.diversity:.2f} on average, by {_alike(lists)}.")
    if lists.serendipity is not None:
        lines.append(f"An item differs from the nearest of a person's history by {lists.serendipity:.2f} on average.")
    if lists.n_lists < FEW_LISTS:
        lines.append(f"Note: {counted(lists.n_lists, 'list')} can cover only so much; compare equal numbers of lists.")
    return lines


def words_of_alarms(alarms: AlarmDescription) -> list[str]:
    """Detection first, then what alarms are worth."""
    at = alarms.detection
    share = at.n_positive / (at.n_positive + at.n_negative)
    anomalies = f"{counted(at.n_positive, 'anomaly', 'anomalies')} {_are(at.n_positive)}"
    rate, false_rate = percent(at.rate, 1), f"{alarms.false_rate:.3g}"
    lines = [
        f"{rate} of {anomalies} detected, with false alarms for at most {false_rate} of all else.",
        f"Average precision is {alarms.average_precision:.3f}; chance has {share:.3f}.",
        f"The area under ROC is {alarms.auc:.3f}; chance has 0.5.",
    ]
    lines += _cost(alarms.cost) if alarms.cost else []
    lines += [_delay(alarms.delay)] if alarms.delay else []
    if at.n_positive < FEW_ANOMALIES:
        lines.append(f"Note: shares of {anomalies} are rough.")
    return lines


def _shown(lists: ListDescription) -> str:
    categories = lists.category_coverage
    also = f", and {percent(categories, 1)} of its categories" if categories is not None else ""
    return (
        f"The first {lists.k} of {counted(lists.n_lists, 'list')} show {lists.n_recommended:,} of "
        f"{counted(lists.n_items or 0, 'item')}: {percent(lists.catalogue_coverage or 0.0, 1)} of the catalogue{also}."
    )


def _empty(lists: ListDescription) -> str:
    traffic = lists.zero_results_of_traffic
    also = f"; {percent(traffic, 1)} of the traffic" if traffic is not None else ""
    if lists.k and not lists.zero_results:
        return f"No list is empty{also}."
    return f"{percent(lists.zero_results, 1)} of {counted(lists.n_lists, 'query', 'queries')} have no result{also}."


def _alike(lists: ListDescription) -> str:
    return "their vectors (1 − cosine)" if lists.similarity == "vector" else "category (0 or 1)"


def _cost(cost: Cost) -> list[str]:
    worth = f"{percent(cost.saved, 1)} saved" if cost.saved > 0 else "nothing saved: they cost as much or more"
    errors = f"{counted(cost.false_alarms, 'false alarm')}, {counted(cost.misses, 'miss', 'misses')}"
    best = "always alarming" if cost.best_threshold == -math.inf else f"alarms above {cost.best_threshold:.4g}"
    never = f"never alarming {cost.never:,.10g}"
    return [
        f"Alarms above {cost.threshold:.4g} cost {cost.cost:,.10g} ({errors}), {never}: {worth}.",
        f"On these data {best} would cost least, {cost.best_cost:,.10g}; on others more, for it was chosen here.",
    ]


def _delay(delay: Delay) -> str:
    if not delay.n_detected:
        return f"None of {counted(delay.n_events, 'event')} is detected."
    detected = f"{delay.n_detected:,} of {counted(delay.n_events, 'event')} {_are(delay.n_events)} detected"
    return f"{detected}, half of them within {delay.median:.4g} and 95 % within {delay.p95:.4g} of their beginning."


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
