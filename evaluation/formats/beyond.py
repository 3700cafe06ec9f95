"""Figures beyond ranking as a table and as facts: each is declared once, in the order in which people read them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.beyond.alarm_description import AlarmDescription
from evaluation.engine.beyond.description import ListDescription, describe_lists, describe_results
from evaluation.engine.beyond.detectors import neighbour_distance
from evaluation.engine.beyond.lists import Catalogue, lists_of
from evaluation.engine.beyond.recommendation import History
from evaluation.engine.beyond.sources import anomalies_among, lists_in, scores_in
from evaluation.engine.beyond.words import words_of_alarms, words_of_lists
from evaluation.engine.run import PackedRun
from evaluation.formats.log.alarms import AlarmTable
from evaluation.formats.log.catalogue import Asked
from evaluation.formats.values import aligned

TITLES = {
    "n_lists": "lists",
    "n_items": "items of the catalogue",
    "n_recommended": "different items recommended",
    "zero_results": "zero-result rate",
    "zero_results_of_traffic": "zero-result rate of the traffic",
    "hit_rate": "hit rate",
    "n_without_list": "people with a relevant item, without a list",
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


def described(
    run: PackedRun,
    catalogue: Catalogue,
    *,
    k: int,
    asked: Asked | None = None,
    relevant: History | None = None,
    history: History | None = None,
) -> ListDescription:
    """Of a run, whose topics are people or queries. Raises `ValueError` as `lists_of` and `describe_lists`."""
    owners, shown = lists_in(run, asked.names if asked else None)
    lists = lists_of(catalogue, owners, shown)
    weight = asked.times if asked else None
    return describe_lists(lists, catalogue, k=k, relevant=relevant, history=history, weight=weight)


def described_log(asked: Asked) -> ListDescription:
    """Of a query log alone. Raises `ValueError` where it does not say how many results there were."""
    if asked.n_results is None:
        raise ValueError("the log has no column of results: without a run it must say how many each query had")
    return describe_results(asked.n_results, weight=asked.times)


def lists_as_table(tag: str, description: ListDescription) -> str:
    """Rows of what is known, of the first k."""
    facts = asdict(description)
    similarity = "" if description.diversity is None else description.similarity
    by = f", similarity by {similarity}" if similarity else ""
    rows = [[title, _cell(facts[name])] for name, title in TITLES.items() if facts[name] is not None]
    head = f"{tag}, first {description.k} of each list{by}" if description.k else tag
    return "\n".join([head, *words_of_lists(description), "", *aligned(rows, n_names=1)])


def lists_as_facts(tag: str, description: ListDescription) -> dict[str, object]:
    """`words`: what they say, in sentences."""
    return {"run": tag, **asdict(description), "words": words_of_lists(description)}


def scored_items(
    run: PackedRun | None,
    vectors: tuple[Sequence[str], NDArray[np.floating]] | None,
    positive: Mapping[str, bool],
    *,
    neighbour: int,
) -> AlarmTable:
    """Scores of a run, or of vectors (ids, rows) the distance of each to its `neighbour`-th nearest, with what items
    truly are. Raises `ValueError` for items of which that is not said, and for too few vectors."""
    if run is not None:
        return AlarmTable(*scores_in(run, positive), None, None)
    assert vectors is not None
    ids, vector = vectors
    return AlarmTable(neighbour_distance(vector, neighbour), anomalies_among(ids, positive), None, None)


def alarms_as_table(description: AlarmDescription) -> str:
    facts = alarms_as_facts(description)
    rows = [[title, _cell(facts[name])] for name, title in TITLES_OF_ALARMS.items() if facts[name] is not None]
    return "\n".join([*words_of_alarms(description), "", *aligned(rows, n_names=1)])


TITLES_OF_ALARMS = {
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


def alarms_as_facts(description: AlarmDescription) -> dict[str, object]:
    """Null: not asked for, or unknown. `words`: what they say, in sentences."""
    facts: dict[str, object] = dict.fromkeys(TITLES_OF_ALARMS)
    facts |= {name: value for name, value in vars(description).items() if name in facts}
    detection, cost, delay = description.detection, description.cost, description.delay
    facts |= {"n_positive": detection.n_positive, "n_negative": detection.n_negative, "detected": detection.rate}
    facts |= {"threshold_at_rate": detection.threshold}
    if cost:
        costs = asdict(cost)
        facts |= {name: costs[name] for name in facts if name in costs}
        facts |= {"cost": cost.cost, "cost_never": cost.never, "cost_always": cost.always}
    if delay:
        facts |= {"n_events": delay.n_events, "n_detected": delay.n_detected}
        facts |= {f"delay_{name}": getattr(delay, name) for name in ("mean", "median", "p95", "median_of_all")}
    facts = {name: value if _is_known(value) else None for name, value in facts.items()}
    return {**facts, "words": words_of_alarms(description)}


def _is_known(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}" if isinstance(value, float) else str(value)
