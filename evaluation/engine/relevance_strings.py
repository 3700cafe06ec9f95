"""The grades of the first documents as text, topic by topic."""

import numpy as np

from evaluation.engine.lookup import look_up
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun

NOT_POOLED, NOT_JUDGED, HIGH = "-", ".", ">"


def relevance_strings(run: PackedRun, qrels: Qrels, length: int, options: Options) -> dict[str, str]:
    """A character for each of the first `length` documents of each topic of the qrels, as trec_eval's relstring.

    The grade from 0 to 9, `>` for a higher one, `.` for a negative one (pooled, not judged), `-` for a document that is
    not in the qrels. A missing topic has none.
    """
    lookup = look_up(run, qrels, options, int(qrels.grade.max()))
    width = min(length, int(lookup.n_retrieved.max(initial=0)))
    letter = np.full((qrels.n_topics, width), NOT_POOLED)
    is_short = lookup.rank <= width
    grade = lookup.grade[is_short]
    text = np.where(grade > 9, HIGH, np.where(grade < 0, NOT_JUDGED, np.clip(grade, 0, 9).astype("U1")))
    letter[lookup.topic[is_short], lookup.rank[is_short] - 1] = text
    rows = zip(qrels.numbers, letter, lookup.n_retrieved.tolist(), strict=True)
    return {number: "".join(row[:n].tolist()) for number, row, n in rows}
