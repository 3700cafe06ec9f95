"""Figures of a description in the order in which people read them, as a table and as files."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.beyond.steps.asking import Asked
from evaluation.formats.beyond import TITLES, TITLES_OF_ALARMS
from evaluation.formats.drift import FIGURES
from evaluation.models import Description

TITLES_OF: Mapping[str, Mapping[str, str]] = {
    Description.Kind.RECOMMENDATIONS: TITLES,
    Description.Kind.ALARMS: TITLES_OF_ALARMS,
    Description.Kind.DRIFT: {key: title for key, (title, _) in FIGURES.items()},
    Description.Kind.INTERLEAVING: {
        "n_impressions": "impressions",
        "n_silent": "of them without a click",
        "n_topics": "topics with a click",
    },
    Description.Kind.INTERLEAVING_POWER: {
        "share": "share of decided impressions that prefer the first run",
        "tied": "share of impressions with clicks that are ties",
        "n_topics": "topics",
        "replications": "replications",
    },
}
COMMANDS = {
    Description.Kind.RECOMMENDATIONS: "describe_recommendations",
    Description.Kind.ALARMS: "evaluate_alarms",
    Description.Kind.DRIFT: "describe_drift",
    Description.Kind.INTERLEAVING: "credit_clicks",
    Description.Kind.INTERLEAVING_POWER: "interleaving_power",
}
TINY = 0.00005  # what four decimals would show as 0
_PLAIN = {"run", "reference", "window", "scores", "lists", "log", "judgments", "first", "second"}  # without an option
_UNNAMED = {"columns", "column"}  # options of a form that a command calls otherwise


@dataclass(frozen=True)
class Table:
    """A figure a row and column; `n_names` columns at the left are text."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    n_names: int


def table_of(description: Description) -> Table | None:
    """Of kinds whose figures are a row a pair, or a row a size, to full precision; None of others."""
    figures = description.figures
    if description.kind == Description.Kind.INTERLEAVING:
        names = ("first", "second", "wins", "losses", "ties", "share", "low", "high", "p", "adjusted p")
        rows = [_preference_row(one) for one in figures["preferences"]]
        return Table("Preferences", names, rows, n_names=2)
    if description.kind == Description.Kind.INTERLEAVING_POWER:
        head = ("impressions", "interleaving", "wrong", "A/B test", "wrong, A/B test")
        rows = [
            [one["n"], *(one[test][what] for test in ("interleaving", "ab") for what in ("found", "wrong"))]
            for one in figures["points"]
        ]
        return Table("Found, by impressions", head, rows, n_names=0)
    return None


def _preference_row(one: Mapping[str, Any]) -> list[Any]:
    ends = one["clustered"] or {"low": None, "high": None}
    counts = [one[name] for name in ("first", "second", "wins", "losses", "ties", "share")]
    return [*counts, ends["low"], ends["high"], one["p"], one["p_adjusted"]]


def shown_table(description: Description) -> Table | None:
    """The same in words."""
    table = table_of(description)
    if table is None:
        return None
    rows = [["–" if cell is None else _shown(cell) for cell in row] for row in table.rows]
    return Table(table.title, table.head, rows, table.n_names)


def figure_rows(description: Description) -> Iterator[tuple[str, str, Any]]:
    """`(key, title, value)` of what is known."""
    for key, title in TITLES_OF[description.kind].items():
        value = description.figures.get(key)
        if value is not None:
            yield key, title, value


def shown_rows(description: Description) -> list[tuple[str, str]]:
    return [(title, _shown(value)) for _, title, value in figure_rows(description)]


def as_csv(description: Description) -> str:
    """A row a figure, to full precision; of kinds with a table, its rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if table := table_of(description):
        writer.writerows([table.head, *table.rows])
    else:
        writer.writerow(["figure", "title", "value"])
        writer.writerows([key, title, value] for key, title, value in figure_rows(description))
    return out.getvalue()


def as_json(description: Description) -> str:
    """As the command prints it; of recommendations the one object of the list."""
    return json.dumps(description.figures, ensure_ascii=False, indent=2) + "\n"


def command_of(asked: Asked) -> str:
    """What gives the same in a terminal, from files of these names."""
    words = [COMMANDS[Description.Kind(asked.kind)]]
    is_alarms = asked.kind == Description.Kind.ALARMS
    for part, source in asked.sources.items():
        plain = part in _PLAIN and not (is_alarms and part == "run")
        words += [source.name if plain else f"--{part} {source.name}"]
    words += [f"--{name.replace('_', '-')} {value}" for name, value in asked.options.items() if name not in _UNNAMED]
    words += [f"--column {meaning}={name}" for meaning, name in asked.options.get("columns", {}).items()]
    if "column" in asked.options:
        words.append(f"--scores {asked.options['column']}")
    return f"manage.py {' '.join(words)}"


def asked_rows(asked: Asked) -> list[tuple[str, str]]:
    """What was read, and how, in words."""
    rows = [(part, source.name) for part, source in asked.sources.items()]
    rows += [(name.replace("_", " "), str(value)) for name, value in asked.options.items() if name != "columns"]
    return rows + [(meaning, name) for meaning, name in asked.options.get("columns", {}).items()]


def _shown(value: Any) -> str:
    if isinstance(value, float) and abs(value) >= 1000:
        return f"{value:,.10g}"
    if isinstance(value, float) and 0 < abs(value) < TINY:
        return f"{value:.1e}".replace("-", "−")
    if isinstance(value, float):
        return f"{value:,.4f}".replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)
