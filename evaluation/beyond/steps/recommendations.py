"""Lists of a run, or a query log alone, as `describe_recommendations` has them."""

from functools import partial
from typing import Any

from evaluation.beyond.steps.asking import Asked
from evaluation.beyond.steps.reading import qrels_in, run_in, table_in, vectors_in
from evaluation.engine.beyond.curves import coverages, lorenz
from evaluation.engine.beyond.lists import cut, lists_of
from evaluation.engine.beyond.sources import catalogue_of, lists_in, relevant_of
from evaluation.formats.beyond import described, described_log, lists_as_facts
from evaluation.formats.log.catalogue import read_asked, read_catalogue, read_history
from evaluation.models import Description


def renamed(asked: Asked, figures: dict[str, Any]) -> dict[str, Any]:
    """A query log alone is called by its name, which is not in the key: what is kept takes the name now asked with."""
    is_log = asked.kind == Description.Kind.RECOMMENDATIONS and "run" not in asked.sources
    return {**figures, "run": asked.sources["asked"].name} if is_log else figures


def described_recommendations(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """`(figures, drawing)`. Raises `FormatError`, `PackedError`, and `ValueError` for what does not belong together."""
    part, k = asked.sources, asked.options["k"]
    everybody = table_in(part.get("asked"), read_asked)
    if "run" not in part:
        assert everybody is not None  # the form has seen to it
        return lists_as_facts(part["asked"].name, described_log(everybody)), {}
    run = run_in(part["run"])
    catalogue = catalogue_of(table_in(part.get("items"), read_catalogue), vectors_in(part.get("vectors")))
    description = described(
        run,
        catalogue,
        k=k,
        asked=everybody,
        relevant=relevant_of(qrels_in(part["truth"]), catalogue) if "truth" in part else None,
        history=table_in(part.get("history"), partial(read_history, catalogue=catalogue)),
    )
    lists = lists_of(catalogue, *lists_in(run, everybody.names if everybody else None))
    path = lorenz(cut(lists, k), catalogue)
    drawing = {"lorenz": {"x": path.x.tolist(), "y": path.y.tolist()}, "coverages": coverages(lists, catalogue, k)}
    return lists_as_facts(run.tag, description), drawing
