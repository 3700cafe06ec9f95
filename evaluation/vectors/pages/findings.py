"""The figures of a space against their usual warning levels, and what they say in a sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from annotation.text.counted import percent
from evaluation.formats.space import AGAINST, AGAINST_LINES, LINES, cell

Figures: TypeAlias = Mapping[str, Any]

FEW = 30  # vectors, of which a verdict says little
ROUNDING = 1e-9


@dataclass(frozen=True)
class Level:
    """A usual warning level of the figure `key`, in words; what it says where it is passed, and where it is not, with
    the figure for `{value}`. Of vectors with fewer directions than `directions` it says nothing."""

    key: str
    level: str
    is_passed: Callable[[Figures], bool]
    warning: str
    sound: str
    directions: int = 0

    def speaks_of(self, figures: Figures) -> bool:
        return figures.get(self.key) is not None and _directions(figures) >= self.directions


@dataclass(frozen=True)
class Finding:
    key: str
    passes_level: bool
    words: str


@dataclass(frozen=True)
class FigureLine:
    title: str
    value: str
    level: str = ""
    passes_level: bool = False


def _directions(figures: Figures) -> int:
    """How many there can be: rows span no more than one fewer than their number."""
    return max(1, min(int(figures["dim"]), int(figures["rows"]) - 1))


def _above(key: str, limit: float) -> Callable[[Figures], bool]:
    return lambda figures: figures[key] is not None and figures[key] > limit


def _is_low_rank(figures: Figures) -> bool:
    return bool(figures["effective_rank"] < 0.3 * _directions(figures))


LEVELS = (
    Level(
        "effective_rank",
        "below 30 % of the directions that there can be",
        _is_low_rank,
        "Few directions carry almost everything: effective rank {value}. The space may be collapsed.",
        "Many directions are in use: effective rank {value}.",
    ),
    Level(
        "faint",
        "above 10 % of the dimensions",
        lambda figures: figures["faint"] > 0.1 * figures["dim"],
        "Many dimensions hardly vary: {value} have a hundredth of the mean variance or less. It may be collapsed.",
        "Dimensions vary: {value} of them have a hundredth of the mean variance or less.",
    ),
    Level(
        "mean_cosine",
        "above .5",
        _above("mean_cosine", 0.5),
        "All vectors point about the same way: mean cosine {value}. A cosine of .7 says little of likeness here.",
        "Vectors point in different directions: mean cosine {value}.",
    ),
    Level(
        "effective_dimensions",
        "below .1 of the directions that there can be",
        lambda figures: figures["effective_dimensions"] * figures["dim"] < 0.1 * _directions(figures),
        "The variance lies in a tenth of the directions or less: participation ratio {value} of the dimensions.",
        "The variance is spread: participation ratio {value} of the dimensions.",
    ),
    Level(
        "top_10",
        "above .5, of 40 directions or more",
        _above("top_10", 0.5),
        "Ten directions hold more than half of the variance: {value} of it.",
        "Ten directions hold no more than half of the variance: {value} of it.",
        directions=40,
    ),
    Level(
        "uniformity",
        "above −2",
        _above("uniformity", -2.0),
        "Vectors crowd together on the sphere: uniformity {value}; −4 is the best.",
        "Vectors are spread over the sphere: uniformity {value}; −4 is the best.",
    ),
    Level(
        "alignment",
        "above .95 of what all pairs have",
        lambda figures: figures["alignment"] > 0.95 * figures.get("alignment_of_all", 2.0),
        "{together} lie hardly nearer to each other than any: alignment {value}, of all pairs {of_all}.",
        "{together} lie nearer to each other than others: alignment {value}, of all pairs {of_all}.",
    ),
    Level(
        "hub_skewness",
        "above 2",
        _above("hub_skewness", 2.0),
        "A few vectors are among the nearest of very many, whatever is asked: skewness {value}.",
        "No vector is among the nearest of very many others: skewness {value}.",
    ),
)
IN_UNITS = "depends on the lengths of vectors: see below"
TOGETHER = {
    "judgments": "Queries and their relevant documents",
    "pairs": "Vectors of the pairs that belong together",
    "classes": "Vectors of one class",
}


def findings_of(figures: Figures) -> list[Finding]:
    """Those levels that there is a figure for, the passed ones first."""
    rows = []
    for one in LEVELS:
        if one.speaks_of(figures):
            is_passed = one.is_passed(figures)
            fields = {"value": _short(figures[one.key]), "of_all": _short(figures.get("alignment_of_all", 2.0))}
            fields["together"] = TOGETHER[figures.get("alignment_from", "judgments")]
            rows.append(Finding(one.key, is_passed, (one.warning if is_passed else one.sound).format(**fields)))
    return sorted(rows, key=lambda row: not row.passes_level)


def _short(value: float) -> str:
    return "0" if abs(value) < ROUNDING else f"{value:.3g}".replace("-", "−")


def figure_lines(figures: Figures) -> list[FigureLine]:
    """Every figure as `describe_vectors` prints it, with its warning level where there is one."""
    levels = {one.key: one for one in LEVELS}
    lines = []
    for line in LINES:
        value, level = figures.get(line.key), levels.get(line.key)
        if value is None:
            continue
        is_passed = level is not None and level.speaks_of(figures) and level.is_passed(figures)
        words = level.level if level else ""
        if line.key in ("dead", "collapsed_in_units"):
            words = IN_UNITS
        lines.append(FigureLine(line.title, cell(value), words, is_passed))
    against = figures.get(AGAINST, {})
    of_two = [FigureLine(title, cell(against[key])) for key, title in AGAINST_LINES if against]
    return [*lines, *of_two]


def resemblance_words(figures: Figures, model: str) -> str:
    """How far another model places the same texts alike, in two sentences."""
    against = figures[AGAINST]
    overlap, cka = percent(against["neighbour_overlap"]), against["linear_cka"]
    shared = f"Of the {figures['neighbours']} nearest of each vector, {overlap} are among the nearest of {model}, too."
    if cka is None:
        return f"{shared} There is no linear CKA: all vectors of one of the two are equal."
    return f"{shared} Linear CKA is {cka:.2f}; 1 is the same space, turned or scaled."


def verdict(figures: Figures) -> str:
    """In a sentence. None of this says how well a model retrieves."""
    findings = findings_of(figures)
    passed = sum(one.passes_level for one in findings)
    levels = f"{passed or 'None'} of {len(findings)} usual warning levels {'is' if passed < 2 else 'are'} passed"
    if figures["rows"] < FEW:
        return f"{levels}: of {figures['rows']} vectors that says little."
    if not passed:
        return f"{levels}: the space looks sound."
    return f"{levels}: look at what that means before you trust the model."
