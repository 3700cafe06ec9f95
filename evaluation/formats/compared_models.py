"""Models beside a reference, or beside target similarities: the facts that the command, the page and the API give."""

from collections.abc import Sequence
from typing import BinaryIO

import numpy as np

from annotation.formats.problems import Problems
from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.arrays import Ints
from evaluation.engine.comparison import Design
from evaluation.engine.reference.comparison import Plan, all_tests, compare_with_reference
from evaluation.engine.reference.models import Model
from evaluation.engine.reference.targets import compare_with_targets, paired_errors
from evaluation.engine.vectors.exact import Similarity
from evaluation.formats.reference import as_facts, targets_as_facts
from evaluation.formats.vectors.id_pairs import parse_target_pairs


def facts_beside_reference(
    models: Sequence[Model],
    plan: Plan,
    design: Design,
    *,
    seed: int,
    progress: WordlessWatch = say_nothing,
) -> dict[str, object]:
    """The first model is the reference. Raises `ValueError` as `compare_with_reference` does."""
    rng = np.random.default_rng(seed)
    compared = compare_with_reference(models[0], models[1:], plan, rng=rng, progress=progress)
    return as_facts(compared, all_tests(compared, design, seed=seed))


def facts_beside_targets(
    models: Sequence[Model], stream: BinaryIO, problems: Problems, similarity: Similarity, design: Design, *, seed: int
) -> dict[str, object]:
    """`stream`: lines of two ids and a similarity, the ids being those that all models have.

    Raises `FormatError` for what is wrong with lines, `ValueError` as `compare_with_targets` does.
    """
    queries = set.intersection(*(set(one.query_ids) for one in models))
    documents = set.intersection(*(set(one.docno) for one in models))
    first, second, target = parse_target_pairs(stream, problems, queries, documents)
    rows = [(_rows(one.query_ids, first), _rows(one.docno, second)) for one in models]
    compared = compare_with_targets(models, rows, target, similarity, seed=seed)
    tested = paired_errors(compared, design, seed=seed)
    return targets_as_facts(compared, {"MAE": tested} if tested else {})


def _rows(ids: list[str], wanted: list[str]) -> Ints:
    row_by_id = {name: row for row, name in enumerate(ids)}
    return np.array([row_by_id[name] for name in wanted], np.int64)
