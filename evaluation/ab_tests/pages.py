"""What the page of an A/B test shows of an analysis: differences, guardrails, segments and looks, drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from annotation.kernel.plots.curves import Curve, CurvePlot, curve_plot
from annotation.kernel.plots.intervals import Estimate, IntervalPlot, interval_plot
from annotation.text.counted import with_sign
from annotation.text.p_values import stated_p, tabled_p
from evaluation.engine.ab_tests.looks import time_in_words

Facts: TypeAlias = Mapping[str, Any]

MOST_NAMED = 5  # looks that have their time written below the axis
TONES = {"holds": "ok", "broken": "bad", "undecided": "warn"}
NOT_SHOWN = "not shown"
MOST_DRAWN = 4  # measures; of more the others are folded
MOST_NOT_SHOWN = 8  # differences that were not shown, each in a sentence; more are folded


@dataclass(frozen=True)
class Finding:
    """One line of the story: a word with a tone, and what it says."""

    word: str
    tone: str
    text: str


@dataclass(frozen=True)
class Findings:
    """Lines of the story. `folded`: of many differences those that were not shown, which would hide the others."""

    first: list[Finding]
    folded: list[Finding]


@dataclass(frozen=True)
class MeasurePart:
    """A measure: its rows, one a treatment, drawn; and its path over time, where looks were asked for."""

    measure: str
    rows: list["Row"]
    plot: IntervalPlot
    is_folded: bool
    paths: list["PathPart"]


@dataclass(frozen=True)
class Row:
    """A difference in words; empty where there is none."""

    variant: str
    control: str
    treatment: str
    difference: str
    interval: str
    relative: str
    p_adjusted: str
    is_shown: bool
    saved: str
    always_valid: str


@dataclass(frozen=True)
class PathPart:
    title: str
    variant: str
    begin: str | None
    stop: str | None
    plot: CurvePlot | None


@dataclass(frozen=True)
class GuardrailRow:
    measure: str
    variant: str
    margin: str
    interval: str
    verdict: str
    tone: str


@dataclass(frozen=True)
class SegmentPart:
    """The segments of one column, measure and treatment, drawn, with the test that they differ."""

    title: str
    test: str
    rows: list[Facts]
    plot: IntervalPlot


def measure_parts(facts: Facts) -> list[MeasurePart]:
    """In the order of the analysis."""
    names = dict.fromkeys(one["measure"] for one in facts["comparisons"])
    return [_measure_part(name, facts, is_folded=at >= MOST_DRAWN) for at, name in enumerate(names)]


def guardrail_rows(facts: Facts) -> list[GuardrailRow]:
    return [_guardrail(one) for one in facts["guardrails"]]


def segment_parts(facts: Facts) -> list[SegmentPart]:
    keys = dict.fromkeys((one["column"], one["measure"], one["variant"]) for one in facts["segments"])
    return [_segment_part(key, facts) for key in keys]


def findings_of(facts: Facts) -> Findings:
    """Differences, guardrails, where it could have been stopped, segments: a line each."""
    differences = [_difference(one, facts) for one in facts["comparisons"]]
    not_shown = [each for each in differences if each.word == NOT_SHOWN]
    folded = not_shown if len(not_shown) > MOST_NOT_SHOWN else []
    return Findings([each for each in differences if each not in folded] + _beside_differences(facts), folded)


def _beside_differences(facts: Facts) -> list[Finding]:
    guardrails = [
        Finding(
            row.verdict, row.tone, f"Guardrail {row.measure}, {row.variant}: too much is {row.margin}; {row.interval}."
        )
        for row in guardrail_rows(facts)
    ]
    stops = [
        Finding("could stop", "ok", f"{one['measure']}, {one['variant']}: from {time_in_words(one['stop'])} on.")
        for one in facts["paths"]
        if one["stop"]
    ]
    segments = [
        Finding(
            "differ", "warn", f"The segments by {one['column']}, for {one['measure']}, {one['variant']}: see below."
        )
        for one in facts["interactions"]
        if one["p_adjusted"] <= facts["alpha"]
    ]
    return [*guardrails, *stops, *segments]


def number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def signed(value: float, unit: str = "") -> str:
    return f"{with_sign(value, '.4g')}{unit}"


def brackets(interval: Mapping[str, float] | None, scale: float = 1.0, unit: str = "") -> str:
    return (
        ""
        if interval is None
        else f"{signed(scale * interval['low'], unit)} to {signed(scale * interval['high'], unit)}"
    )


def _difference(one: Facts, facts: Facts) -> Finding:
    row = _row(one, facts["alpha"])
    size = f"{row.difference} ({row.relative})" if row.relative else row.difference
    what = f"{one['measure']}: {one['variant']}"
    if not row.is_shown:
        rest = f"{size}, {row.interval}. That is not to say that there is none."
        return Finding(NOT_SHOWN, "", f"{what} was not shown to differ from {facts['control']}; measured {rest}")
    way = "above" if one["difference"] > 0 else "below"
    saved = f"; the covariate saved {row.saved} of the variance" if row.saved else ""
    return Finding("shown", "ok", f"{what} is {way} {facts['control']} by {size}, {row.interval}{saved}.")


def _measure_part(name: str, facts: Facts, *, is_folded: bool) -> MeasurePart:
    comparisons = [one for one in facts["comparisons"] if one["measure"] == name]
    rows = [_row(one, facts["alpha"]) for one in comparisons]
    drawn = [each for one, row in zip(comparisons, rows, strict=True) for each in _estimates(name, one, row)]
    control = Estimate(facts["control"], 0.0, None, None, f"{facts['control']}: the control, by definition 0")
    paths = [_path_part(one) for one in facts["paths"] if one["measure"] == name]
    return MeasurePart(name, rows, interval_plot([control, *drawn]), is_folded, paths)


def _row(one: Facts, alpha: float) -> Row:
    relative = "" if one["relative"] is None else signed(100 * one["relative"], " %")
    return Row(
        variant=one["variant"],
        control=number(one["control"]),
        treatment=number(one["treatment"]),
        difference=signed(one["difference"]),
        interval=brackets(one["interval"]),
        relative=relative,
        p_adjusted=tabled_p(one["p_adjusted"]),
        is_shown=one["p_adjusted"] <= alpha,
        saved="" if one["variance_saved"] is None else f"{100 * one['variance_saved']:.1f} %",
        always_valid=brackets(one["always_valid"]),
    )


def _estimates(name: str, one: Facts, row: Row) -> Iterable[Estimate]:
    variant, middle, ends = one["variant"], one["difference"], one["interval"]
    text = f"{name}, {variant}, one look that was planned: {row.difference}, {row.interval}"
    yield Estimate(f"{variant}, one look", middle, ends["low"], ends["high"], text, is_marked=row.is_shown)
    if ends := one["always_valid"]:
        text = f"{name}, {variant}, at every look: {row.difference}, {row.always_valid}"
        yield Estimate(f"{variant}, every look", middle, ends["low"], ends["high"], text)


def _path_part(one: Facts) -> PathPart:
    looks = [look for look in one["looks"] if look["always_valid"]]
    title = f"{one['measure']}, {one['variant']}, over time"
    plot = _path_plot(one, looks) if len(looks) > 1 else None
    begin, stop = (each and time_in_words(each) for each in (one["begin"], one["stop"]))
    return PathPart(title, one["variant"], begin, stop, plot)


def _path_plot(one: Facts, looks: Sequence[Facts]) -> CurvePlot:
    step = -(-len(looks) // MOST_NAMED)
    named = [time_in_words(look["end"], month="%b") if at % step == 0 else "" for at, look in enumerate(looks)]
    texts = [
        f"{time_in_words(look['end'])}: {signed(look['difference'])}, {brackets(look['always_valid'])}"
        for look in looks
    ]
    what = f"{one['measure']}, {one['variant']}"
    curves = [
        Curve("0", [0.0] * len(looks), "no difference"),
        Curve("upper end", [look["always_valid"]["high"] for look in looks], f"{what}, upper end", is_marked=True),
        Curve("difference", [look["difference"] for look in looks], f"{what}: {'; '.join(texts)}", is_marked=True),
        Curve("lower end", [look["always_valid"]["low"] for look in looks], f"{what}, lower end", is_marked=True),
    ]
    return curve_plot(curves, named)


def _guardrail(one: Facts) -> GuardrailRow:
    scale, unit = (100.0, " %") if one["margin_is_relative"] else (1.0, "")
    interval = one["relative_interval"] if one["margin_is_relative"] else one["interval"]
    return GuardrailRow(
        measure=one["measure"],
        variant=one["variant"],
        margin=signed(scale * one["margin"], unit),
        interval=brackets(interval, scale, unit),
        verdict=one["verdict"],
        tone=TONES[one["verdict"]],
    )


def _segment_part(key: tuple[str, str, str], facts: Facts) -> SegmentPart:
    column, measure, variant = key
    segments = [one for one in facts["segments"] if (one["column"], one["measure"], one["variant"]) == key]
    tests = [one for one in facts["interactions"] if (one["column"], one["measure"], one["variant"]) == key]
    rows: list[Facts] = [{**one, **_segment_words(one)} for one in segments]
    drawn = [
        Estimate(
            one["segment"],
            one["effect"]["difference"],
            one["effect"]["interval"]["low"],
            one["effect"]["interval"]["high"],
            f"{column} {one['segment']}: {one['difference']}, {one['interval']}",
        )
        for one in rows
        if one["effect"]
    ]
    whole = next(one for one in facts["comparisons"] if (one["measure"], one["variant"]) == (measure, variant))
    ends = whole["interval"]
    text = f"all units: {signed(whole['difference'])}, {brackets(ends)}"
    first = Estimate("all units", whole["difference"], ends["low"], ends["high"], text, is_marked=True)
    return SegmentPart(f"{measure}, {variant}, by {column}", _test(tests, facts), rows, interval_plot([first, *drawn]))


def _segment_words(one: Facts) -> dict[str, str]:
    if one["effect"] is None:
        return {"difference": "", "interval": "", "adjusted": ""}
    effect = one["effect"]
    return {
        "difference": signed(effect["difference"]),
        "interval": brackets(effect["interval"]),
        "adjusted": tabled_p(one["p_adjusted"]),
    }


def _test(tests: Sequence[Facts], facts: Facts) -> str:
    if not tests:
        return "Too few segments have a difference: whether they differ is not tested."
    (one,) = tests
    verdict = "differ" if one["p_adjusted"] <= facts["alpha"] else "were not shown to differ"
    test = f"Cochran’s Q {one['statistic']:.4g}, df {one['df']}, adjusted p {stated_p(one['p_adjusted'])}"
    return f"The segments {verdict}: {test}."
