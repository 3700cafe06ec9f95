"""Figures beyond ranking as a table and as facts: each is declared once, in the order in which people read them."""

import math
from dataclasses import asdict

from evaluation.engine.beyond.alarm_description import AlarmDescription
from evaluation.engine.beyond.description import ListDescription
from evaluation.formats.values import aligned

TITLES = {
    "n_lists": "lists",
    "n_items": "items of the catalogue",
    "n_recommended": "different items recommended",
    "zero_results": "zero-result rate",
    "zero_results_of_traffic": "zero-result rate of the traffic",
    "hit_rate": "hit rate",
    "catalogue_coverage": "catalogue coverage",
    "category_coverage": "category coverage",
    "gini_of_catalogue": "Gini of exposure, over the catalogue",
    "gini_of_recommended": "Gini of exposure, over recommended items",
    "popularity_bias": "popularity bias",
    "novelty": "novelty (bits)",
    "n_unused_slots": "slots of items never used: not in novelty",
    "diversity": "intra-list diversity",
    "serendipity": "serendipity (1 − greatest similarity)",
    "serendipity_of_smallest": "serendipity (1 − smallest similarity)",
}


def lists_as_table(tag: str, found: ListDescription) -> str:
    """Rows of what is known, of the first k."""
    facts = asdict(found)
    by = f", similarity by {found.similarity}" if found.similarity and found.diversity is not None else ""
    rows = [[title, _cell(facts[name])] for name, title in TITLES.items() if facts[name] is not None]
    return "\n".join([f"{tag}, first {found.k} of each list{by}", *aligned(rows, n_names=1)])


def lists_as_facts(tag: str, found: ListDescription) -> dict[str, object]:
    return {"run": tag, **asdict(found)}


def alarms_as_table(facts: dict[str, object]) -> str:
    rows = [[_TITLES_OF_ALARMS[name], _cell(value)] for name, value in facts.items() if value is not None]
    return "\n".join(aligned(rows, n_names=1))


_TITLES_OF_ALARMS = {
    "n_positive": "anomalies",
    "n_negative": "all else",
    "false_rate": "rate of false alarms, at most",
    "detected": "detected at that rate",
    "threshold_at_rate": "threshold of that rate",
    "average_precision": "average precision",
    "auc": "area under the ROC curve",
    "partial_auc": "area up to that rate (1: best)",
    "partial_auc_standardised": "the same, chance at ½ (McClish)",
    "threshold": "alarm above",
    "false_alarms": "false alarms",
    "misses": "misses",
    "cost": "cost",
    "cost_never": "cost of never alarming",
    "cost_always": "cost of always alarming",
    "saved": "share of the cost of never alarming saved",
    "best_threshold": "threshold of least cost on these data",
    "best_cost": "least cost on these data",
    "n_events": "events",
    "n_detected": "events detected",
    "delay_mean": "time to detection: mean",
    "delay_median": "median",
    "delay_p95": "95th percentile",
    "delay_median_of_all": "median, missed events as never",
}


def alarms_as_facts(found: AlarmDescription) -> dict[str, object]:
    """Null: not asked for, or unknown."""
    facts: dict[str, object] = dict.fromkeys(_TITLES_OF_ALARMS)
    facts |= {name: value for name, value in vars(found).items() if name in facts}
    detection, cost, delay = found.detection, found.cost, found.delay
    facts |= {"n_positive": detection.n_positive, "n_negative": detection.n_negative, "detected": detection.rate}
    facts |= {"threshold_at_rate": detection.threshold}
    if cost:
        costs = asdict(cost)
        facts |= {name: costs[name] for name in facts if name in costs}
        facts |= {"cost": cost.cost, "cost_never": cost.never, "cost_always": cost.always}
    if delay:
        facts |= {"n_events": delay.n_events, "n_detected": delay.n_detected}
        facts |= {f"delay_{name}": getattr(delay, name) for name in ("mean", "median", "p95", "median_of_all")}
    return {name: value if _is_known(value) else None for name, value in facts.items()}


def _is_known(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}" if isinstance(value, float) else str(value)
