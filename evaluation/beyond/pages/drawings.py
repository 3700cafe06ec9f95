"""Curves of a description."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from annotation.kernel.plots.curves import Curve, CurvePlot, curve_plot
from annotation.kernel.plots.intervals import Estimate, IntervalPlot, interval_plot
from annotation.kernel.plots.paths import Path, PathPlot, Spot, path_plot, steps
from annotation.text.counted import percent
from evaluation.engine.interleaving import METHODS
from evaluation.models import Description

Drawing: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Picture:
    """`title` names the plot, `text` says what to see in it."""

    plot: PathPlot | CurvePlot | IntervalPlot
    title: str
    text: str
    x_name: str
    y_name: str

    @property
    def shape(self) -> str:
        """Which template draws it."""
        shapes: dict[type, str] = {PathPlot: "paths", CurvePlot: "curves", IntervalPlot: "intervals"}
        return f"components/plots/{shapes[type(self.plot)]}.html"


def pictures_of(description: Description) -> list[Picture]:
    return _PICTURES[Description.Kind(description.kind)](description.drawing, description.figures)


def _lists(drawing: Drawing, figures: Drawing) -> list[Picture]:
    if "lorenz" not in drawing:
        return []
    gini = f"Gini {figures['gini_of_catalogue']:.2f}"
    spread = path_plot(
        [
            Path("exposure", **drawing["lorenz"], text=f"exposure: {gini}"),
            Path("all alike", [0, 1], [0, 1], "every item is shown as often", kind="chance"),
        ]
    )
    lorenz = Picture(
        spread,
        "Exposure",
        f"The share of all slots that the least shown items have: the further below the dotted line, the fewer have it "
        f"all. {gini}.",
        "share of the items, the least shown first",
        "share of the slots",
    )
    return [lorenz, *_coverages(drawing["coverages"])]


def _coverages(coverages: Mapping[str, Sequence[float]]) -> list[Picture]:
    cuts = coverages["k"]
    if len(cuts) < 2:
        return []
    kinds = {"catalogue": "first", "category": "second"}
    paths = [
        Path(name, cuts, coverages[name], _path_words(name, cuts, coverages[name]), kind)
        for name, kind in kinds.items()
        if name in coverages
    ]
    text = "Coverage of the first k of each list: how much more longer lists would show."
    return [Picture(path_plot(paths), "Coverage by cut", text, "k", "share covered")]


def _alarms(drawing: Drawing, figures: Drawing) -> list[Picture]:
    at = drawing["at"]
    base = figures["n_positive"] / (figures["n_positive"] + figures["n_negative"])
    here = f"alarm above {at['threshold']:.4g}"
    detected, of_else = percent(at["detected"], 1), percent(at["false_rate"], 2)
    right = None if at["right"] is None else percent(at["right"], 1)
    roc = path_plot(
        [
            Path("detector", **drawing["roc"], text=f"area {figures['auc']:.3f}"),
            Path("chance", [0, 1], [0, 1], "area 0.5", kind="chance"),
        ],
        [Spot(here, at["false_rate"], at["detected"], f"{detected} at {of_else}")],
    )
    spots = [Spot(here, at["detected"], at["right"], f"{right} are right")] if right else []
    precision = path_plot(
        [
            Path("detector", **drawing["precision"], text=f"average precision {figures['average_precision']:.3f}"),
            Path("chance", [0, 1], [base, base], f"{base:.3f}: the share of anomalies", kind="chance"),
        ],
        spots,
    )
    detection = f"{here}: {detected} detected, false alarms for {of_else} of all else"
    alarms = f"{here}: {right} of the alarms are right" if right else "there is no alarm"
    pictures = [
        Picture(roc, "ROC curve", f"{_upper(detection)}.", "rate of false alarms", "share detected"),
        Picture(precision, "Precision and recall", f"{_upper(alarms)}.", "share detected", "share of alarms right"),
    ]
    return [*pictures, *_cost(drawing["cost"], figures)]


def _cost(cost: Mapping[str, list[float]] | None, figures: Drawing) -> list[Picture]:
    if cost is None:
        return []
    ends, never = [cost["x"][0], cost["x"][-1]], figures["cost_never"]
    plot = path_plot(
        [
            Path("alarms", cost["x"], cost["y"], text=f"least {figures['best_cost']:,.10g}"),
            Path("never alarming", ends, [never, never], f"{never:,.10g}", kind="chance"),
        ],
        [Spot("as asked", figures["threshold"], figures["cost"], f"{figures['cost']:,.10g}")],
    )
    text = "Cost by threshold on these data; below the dotted line alarms are worth having."
    return [Picture(plot, "Cost by threshold", text, "threshold", "cost")]


_LINES = {
    "values": ("Values", "value", "Shares of the rows of both sides."),
    "shift": (
        "From centroid to centroid",
        "place along the line",
        "Seen along the line from one centroid to the other: chosen where they differ, so that they do, drift or not.",
    ),
    "1": ("First principal direction", "place along it", "Seen where both sides together vary most."),
    "2": ("Second principal direction", "place along it", "Seen where both sides together vary second most."),
}


def _drift(drawing: Drawing, figures: Drawing) -> list[Picture]:
    sides = {
        "reference": ("first", f"reference, {figures['n_reference']:,} rows"),
        "window": ("second", f"window, {figures['n_window']:,} rows"),
    }
    pictures = []
    for line in drawing["lines"]:
        title, x_name, text = _LINES[line["line"]]
        paths = [Path(side, *steps(line["edges"], line[side]), legend, kind) for side, (kind, legend) in sides.items()]
        pictures.append(Picture(path_plot(paths), title, text, x_name, "share of the rows"))
    return pictures


def _interleaving(_drawing: Drawing, figures: Drawing) -> list[Picture]:
    """Shares of the pairs of rankers, beside one half."""
    half = Estimate("no preference", 0.5, None, None, "no preference: one half")
    level = 1 - figures["confidence"]
    rows = []
    for one in figures["preferences"]:
        if one["share"] is None:
            continue
        ends = one["clustered"] or {"low": None, "high": None}
        text = f"{one['first']} beside {one['second']}: {one['wins']:,} of {one['wins'] + one['losses']:,} decided"
        shown = one["p_adjusted"] is not None and one["p_adjusted"] <= level
        name = f"{one['first']} beside {one['second']}"
        rows.append(Estimate(name, one["share"], ends["low"], ends["high"], text, is_marked=shown))
    if not rows:
        return []
    what = "credit" if METHODS[figures["method"]].by_credit else "decided impressions"
    text = f"The first's share of the {what} of each pair, with its interval over topics. What was shown is marked."
    return [Picture(interval_plot([half, *rows]), "Who is preferred", text, "", "")]


def _power(_drawing: Drawing, figures: Drawing) -> list[Picture]:
    points = figures["points"]
    tests = {"interleaving": "interleaving", "ab": "A/B test"}
    curves = [Curve("80 %", [0.8] * len(points), "80 %, what is often asked for")]
    for key, name in tests.items():
        shares = [one[key]["found"] for one in points]
        listing = ", ".join(f"{percent(share, 1)} with {one['n']:,}" for share, one in zip(shares, points, strict=True))
        curves.append(Curve(name, shares, f"{name}: {listing}", is_marked=True, is_dashed=key == "ab"))
    text = "How often each test finds a difference, by impressions in all, the A/B test dashed; the thin line is 80 %."
    plot = curve_plot(curves, [f"{one['n']:,}" for one in points])
    return [Picture(plot, "Power by impressions", text, "impressions", "share found")]


_PICTURES: Mapping[Description.Kind, Callable[[Drawing, Drawing], list[Picture]]] = {
    Description.Kind.RECOMMENDATIONS: _lists,
    Description.Kind.ALARMS: _alarms,
    Description.Kind.DRIFT: _drift,
    Description.Kind.INTERLEAVING: _interleaving,
    Description.Kind.INTERLEAVING_POWER: _power,
}


def _path_words(name: str, cuts: Sequence[float], shares: Sequence[float]) -> str:
    return f"{name}: {', '.join(f'{percent(share, 1)} at {k:g}' for k, share in zip(cuts, shares, strict=True))}"


def _upper(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
