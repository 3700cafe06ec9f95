"""Interleaved lists: drawn of stored runs; credited from files; and how many impressions they need."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from evaluation.beyond.steps.asking import Asked
from evaluation.beyond.steps.reading import interleaved_in, qrels_in, run_in, table_in
from evaluation.engine.clicks.models import model_named
from evaluation.engine.clicks.power import power
from evaluation.engine.interleaving.counting import tally
from evaluation.engine.interleaving.drawing import PARAMETERS, interleave, method_named
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.preferences import preferences_of
from evaluation.formats.clicks import power_as_facts
from evaluation.formats.interleaving import preferences_as_facts
from evaluation.formats.log.interleaved import read_clicked
from evaluation.models import Run
from evaluation.runs.read import stored_run

MOST_DRAWN = 200_000  # documents of all lists
MOST_SOLVED = 100  # topics of `optimised`, which solves a linear programme for each


def drawn_lists(
    runs: Sequence[Run], *, method: str, parameters: Mapping[str, Any], depth: int, lists: int, seed: int
) -> Lists:
    """As the command `interleave` draws them, of the runs in this order.

    Raises `ValueError` as `interleave`, and for more lists than a web process draws at once.
    """
    packed = [stored_run(run) for run in runs]
    n_topics = len(set[str].intersection(*(set(run.numbers) for run in packed)))
    if n_topics * lists * depth > MOST_DRAWN or (method == "optimised" and n_topics > MOST_SOLVED):
        raise ValueError(
            f"{lists:,} lists of {n_topics:,} topics are too many at once: at most {MOST_DRAWN:,} documents in all, "
            f"and of optimised at most {MOST_SOLVED} topics. The command interleave draws as many as you like"
        )
    chosen = method_named(method, parameters)
    return interleave(packed, chosen, depth=depth, lists_per_topic=lists, seed=seed)


def credited_clicks(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """`(figures, drawing)`, as `credit_clicks` has them. Raises `FormatError`, and `ValueError` without a click."""
    shown = interleaved_in(asked.sources["lists"])
    clicked = table_in(asked.sources["log"], partial(read_clicked, lists=shown))
    assert clicked is not None
    counted = tally(shown, method_named(shown.method, shown.parameters), *clicked)
    return preferences_as_facts(preferences_of(counted, method=shown.method, **asked.options)), {}


def simulated_power(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """`(figures, drawing)`, as `interleaving_power` has them. Raises `PackedError`, and `ValueError` as `power`."""
    options, part = asked.options, asked.sources
    simulation = power(
        [run_in(part["first"]), run_in(part["second"])],
        qrels_in(part["judgments"]),
        method_named(options["method"], {name: options.get(name) for name in PARAMETERS}),
        model_named(options["clicks"], eta=options.get("eta"), noise=options.get("noise")),
        sizes=[int(size) for size in options["sizes"].split(",")],
        **{name: options[name] for name in ("replications", "outcome", "alpha", "depth", "seed")},
    )
    return power_as_facts(simulation), {}
