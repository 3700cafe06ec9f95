"""What lists and alarms show, in sentences that say what the numbers say and no more."""

import math

from annotation.text.counted import counted, percent
from evaluation.engine.beyond.alarm_description import AlarmDescription
from evaluation.engine.beyond.alarms import Cost, Delay
from evaluation.engine.beyond.description import ListDescription

FEW_ANOMALIES, FEW_LISTS = 30, 30


def words_of_lists(found: ListDescription) -> list[str]:
    """What is shown first, then to whom and how unlike; what is not known is not said."""
    lines = [_shown(found), _empty(found)] if found.catalogue_coverage is not None else [_empty(found)]
    if found.hit_rate is not None:
        hits = percent(found.hit_rate, 1)
        lines.append(f"{hits} of those with a relevant item have one among their first {found.k}.")
    if found.n_without_list:
        lines.append(f"{counted(found.n_without_list, 'person', 'people')} with a relevant item got no list: no hit.")
    if found.gini_of_catalogue is not None:
        lines.append(f"The Gini of exposure is {found.gini_of_catalogue:.2f}: 0 is all alike, 1 one item alone.")
    if found.popularity_bias is not None:
        lines.append(f"What is shown is {found.popularity_bias:.2f} times as popular as the catalogue on average.")
    if found.diversity is not None:
        lines.append(f"Two items of a list differ by {found.diversity:.2f} on average, by {_alike(found)}.")
    if found.serendipity is not None:
        lines.append(f"An item differs from the nearest of a person's history by {found.serendipity:.2f} on average.")
    if found.n_lists < FEW_LISTS:
        lines.append(f"Note: {counted(found.n_lists, 'list')} can cover only so much; compare equal numbers of lists.")
    return lines


def words_of_alarms(found: AlarmDescription) -> list[str]:
    """Detection first, then what alarms are worth."""
    at, share = found.detection, found.detection.n_positive / (found.detection.n_positive + found.detection.n_negative)
    anomalies = f"{counted(at.n_positive, 'anomaly', 'anomalies')} {_are(at.n_positive)}"
    rate, false_rate = percent(at.rate, 1), f"{found.false_rate:.3g}"
    lines = [
        f"{rate} of {anomalies} detected, with false alarms for at most {false_rate} of all else.",
        f"Average precision is {found.average_precision:.3f}; chance has {share:.3f}.",
        f"The area under ROC is {found.auc:.3f}; chance has 0.5.",
    ]
    lines += _cost(found.cost) if found.cost else []
    lines += [_delay(found.delay)] if found.delay else []
    if at.n_positive < FEW_ANOMALIES:
        lines.append(f"Note: shares of {anomalies} are rough.")
    return lines


def _shown(found: ListDescription) -> str:
    categories = found.category_coverage
    also = f", and {percent(categories, 1)} of its categories" if categories is not None else ""
    return (
        f"The first {found.k} of {counted(found.n_lists, 'list')} show {found.n_recommended:,} of "
        f"{counted(found.n_items or 0, 'item')}: {percent(found.catalogue_coverage or 0.0, 1)} of the catalogue{also}."
    )


def _empty(found: ListDescription) -> str:
    traffic = found.zero_results_of_traffic
    also = f"; {percent(traffic, 1)} of the traffic" if traffic is not None else ""
    if found.k and not found.zero_results:
        return f"No list is empty{also}."
    return f"{percent(found.zero_results, 1)} of {counted(found.n_lists, 'query', 'queries')} have no result{also}."


def _alike(found: ListDescription) -> str:
    return "their vectors (1 − cosine)" if found.similarity == "vector" else "category (0 or 1)"


def _cost(found: Cost) -> list[str]:
    worth = f"{percent(found.saved, 1)} saved" if found.saved > 0 else "nothing saved: they cost as much or more"
    errors = f"{counted(found.false_alarms, 'false alarm')}, {counted(found.misses, 'miss', 'misses')}"
    best = "always alarming" if found.best_threshold == -math.inf else f"alarms above {found.best_threshold:.4g}"
    never = f"never alarming {found.never:,.10g}"
    return [
        f"Alarms above {found.threshold:.4g} cost {found.cost:,.10g} ({errors}), {never}: {worth}.",
        f"On these data {best} would cost least, {found.best_cost:,.10g}; on others more, for it was chosen here.",
    ]


def _delay(found: Delay) -> str:
    if not found.n_detected:
        return f"None of {counted(found.n_events, 'event')} is detected."
    detected = f"{found.n_detected:,} of {counted(found.n_events, 'event')} {_are(found.n_events)} detected"
    return f"{detected}, half of them within {found.median:.4g} and 95 % within {found.p95:.4g} of their beginning."


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
