"""Changes of the judge: the same pairs as other qrels, or machine judges, grade them."""

from collections.abc import Mapping

import numpy as np

from annotation.quality.latest import latest_grades
from evaluation.engine.arrays import Ints
from evaluation.engine.qrels import Qrels
from evaluation.engine.sensitivity.cases import UNJUDGED
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.judgments import Judgments
from evaluation.engine.sensitivity.kinds.kind import Cases, Kind

NO_OTHERS = "no machine judge and no other qrels judge these pairs"


def grades_of_others(pairs: Qrels, others: Mapping[str, Qrels]) -> Ints:
    """The grades that other qrels give the pairs, (n_others, n_pairs): −1 where they lack one. What they have beyond
    these pairs plays no part. Raises `ValueError` for qrels that have none of them."""
    index_by_pair = {pair: at for at, pair in enumerate(pairs.named_pairs())}
    grade = np.full((len(others), pairs.topic.size), UNJUDGED)
    for line, (name, other) in zip(grade, others.items(), strict=True):
        here = [(index_by_pair[pair], at) for at, pair in enumerate(other.named_pairs()) if pair in index_by_pair]
        if not here:
            raise ValueError(f"{name} judges none of these pairs")
        to, at = np.array(here).T
        line[to] = np.maximum(other.grade[at], UNJUDGED)
    return grade


def grades_of_machines(judgments: Judgments) -> tuple[list[str], Ints]:
    """`(names, grades)`: the last grade of each machine judge that is not excluded, (n_machines, n_pairs)."""
    machines, scale = judgments.inputs.machines, judgments.inputs.scale
    if machines is None:
        return [], np.zeros((0, judgments.key.size), np.int64)
    table = machines.table
    row = latest_grades(table, scale, np.ones(len(table), np.bool_))
    index, is_here = judgments.find(table.pair[row])
    grade = np.full((len(table.annotators), judgments.key.size), UNJUDGED)
    grade[table.annotator[row[is_here]], index[is_here]] = table.grade[row[is_here]]
    chosen = [code for code in range(len(table.annotators)) if code not in machines.excluded]
    return [table.annotators[code] for code in chosen], grade[chosen]


def _judges(context: StudyContext) -> Cases:
    judgments, others = context.evidence.judgments, context.evidence.others
    names, grade = grades_of_machines(judgments) if judgments else ([], None)
    tables = [grades_of_others(context.pairs, others), *([] if grade is None else [grade])]
    every = [*others, *names]
    if not every:
        raise ValueError(NO_OTHERS)
    return every, context.ready_runs.means(np.concatenate(tables))


JUDGES = Kind("judges", "another judge of the same pairs", _judges)
