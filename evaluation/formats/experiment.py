"""An experiment's analysis as a table and as facts."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from annotation.text.p_values import tabled_p
from evaluation.engine.ab_tests.analysis import Analysis
from evaluation.engine.ab_tests.effects import Effect
from evaluation.engine.ab_tests.looks import Path, time_of
from evaluation.engine.ab_tests.segments import Segment
from evaluation.engine.ab_tests.words import words_of
from evaluation.formats.values import aligned, csv_text

HEAD = ["measure", "variant", "control", "treatment", "difference", "low", "high", "relative", "p", "adjusted", "saved"]

SEGMENTS = ["by", "segment", "measure", "variant", "n control", "n treatment", "difference", "low", "high", "adjusted"]


def analysis_as_text(analysis: Analysis) -> str:
    """A row a measure and treatment, and below what they say. Where the sample ratio does not fit, no row."""
    if analysis.ratio.mismatch:
        return "\n".join(words_of(analysis))
    rows = [[one.measure, one.variant, *_cells(one.effect, one.p_adjusted)] for one in analysis.comparisons]
    rows += [[one.margin.measure, one.variant, *_cells(one.effect, None)] for one in analysis.guardrails]
    parts = [[one.column, one.segment, one.measure, one.variant, *_segment_cells(one)] for one in analysis.segments]
    segments = [*aligned([SEGMENTS, *parts], n_names=4), ""] if parts else []
    return "\n".join([*aligned([HEAD, *rows], n_names=2), "", *segments, *words_of(analysis)])


def analysis_as_facts(analysis: Analysis) -> dict[str, object]:
    """Null: not asked for, or unknown. `conclusion` is a list of sentences."""
    question, ratio = analysis.question, analysis.ratio
    asked = ("control", "covariate", "alpha", "correction", "start", "events", "narrowest_at", "cluster", "time")
    return {
        **{name: getattr(question, name) for name in asked},
        "bootstrap": {"replicates": question.replicates, "seed": question.seed} if question.cluster else None,
        "sample_ratio": {**asdict(ratio), "mismatch": ratio.mismatch},
        "covariate_p": analysis.covariate_p,
        "comparisons": [_flat(asdict(one)) for one in analysis.comparisons],
        "guardrails": [_flat(asdict(one)) for one in analysis.guardrails],
        "segments": [asdict(one) for one in analysis.segments],
        "interactions": [asdict(one) for one in analysis.interactions],
        "paths": [_path(one, analysis) for one in analysis.paths],
        "conclusion": words_of(analysis),
    }


def _path(one: Path, analysis: Analysis) -> dict[str, object]:
    """Times in words; `begin` and `stop` are those of looks."""
    looks = [{**asdict(look), "end": time_of(look.end, are_dates=analysis.times_are_dates)} for look in one.looks]
    times = {name: None if at is None else looks[at]["end"] for name, at in (("begin", one.begin), ("stop", one.stop))}
    return {"measure": one.measure, "variant": one.variant, **times, "looks": looks}


def _flat(one: dict[str, object]) -> dict[str, object]:
    """The fields of the effect beside the others; a margin's value and kind beside its measure."""
    facts: dict[str, object] = {}
    for name, value in one.items():
        if name == "effect" and isinstance(value, dict):
            facts |= value
        elif name == "margin" and isinstance(value, dict):
            facts |= {"measure": value["measure"], "margin": value["value"], "margin_is_relative": value["relative"]}
        else:
            facts[name] = value
    return facts


def _cells(effect: Effect, p_adjusted: float | None) -> list[str]:
    values = (effect.control, effect.treatment, effect.difference, effect.interval.low, effect.interval.high)
    relative = "" if effect.relative is None else f"{100 * effect.relative:+.2f} %"
    saved = "" if effect.variance_saved is None else f"{100 * effect.variance_saved:.1f} %"
    p = "" if p_adjusted is None else tabled_p(p_adjusted)
    return [*(f"{value:.5g}" for value in values), relative, tabled_p(effect.p), p, saved]


def _segment_cells(one: Segment) -> list[str]:
    n = [f"{one.n_control:,}", f"{one.n_treatment:,}"]
    if one.effect is None or one.p_adjusted is None:
        return [*n, "", "", "", ""]
    values = one.effect.difference, one.effect.interval.low, one.effect.interval.high
    return [*n, *(f"{value:.5g}" for value in values), tabled_p(one.p_adjusted)]


ROW = (
    *("part", "column", "segment", "measure", "variant", "n_control", "n_treatment", "control", "treatment"),
    *("difference", "error", "df", "p", "p_adjusted", "low", "high", "relative", "relative_low", "relative_high"),
    *("always_valid_low", "always_valid_high", "variance_saved", "margin", "verdict"),
)
LOOKS = (
    "measure",
    "variant",
    "end",
    "n_control",
    "n_treatment",
    "difference",
    "low",
    "high",
    "valid_low",
    "valid_high",
)


def facts_as_csv(facts: Mapping[str, Any]) -> str:
    """A row a difference: of all units, of guardrails, of segments."""
    n = facts["sample_ratio"]["n"]
    named = [("all units", one) for one in facts["comparisons"]] + [("guardrail", one) for one in facts["guardrails"]]
    counted = [
        {**one, "part": part, "n_control": n[facts["control"]], "n_treatment": n[one["variant"]]} for part, one in named
    ]
    segments = [{**(one["effect"] or {}), **one, "part": "segment"} for one in facts["segments"]]
    return csv_text(ROW, ([_flat_row(one).get(name) for name in ROW] for one in [*counted, *segments]))


def looks_as_csv(facts: Mapping[str, Any]) -> str:
    """A row a look."""
    rows = (_look(path, look) for path in facts["paths"] for look in path["looks"])
    return csv_text(LOOKS, rows)


def _look(path: Mapping[str, Any], look: Mapping[str, Any]) -> list[Any]:
    ends = [*_ends(look["interval"]), *_ends(look["always_valid"])]
    return [path["measure"], path["variant"], look["end"], *look["n"], look["difference"], *ends]


def facts_as_json(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "csv": facts_as_csv,
    "looks": looks_as_csv,
    "json": facts_as_json,
}


def _flat_row(one: Mapping[str, Any]) -> dict[str, Any]:
    """The ends of intervals beside the other values."""
    flat = dict(one)
    for name, before in (("interval", ""), ("relative_interval", "relative_"), ("always_valid", "always_valid_")):
        flat[f"{before}low"], flat[f"{before}high"] = _ends(one.get(name))
    return flat


def _ends(interval: Mapping[str, float] | None) -> list[float | None]:
    return [None, None] if interval is None else [interval["low"], interval["high"]]
