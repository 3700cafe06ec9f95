"""Sessions, by the times at which judgments were saved: a longer rest begins a new one."""

import numpy as np

from annotation.quality.arrays import Floats, Ints
from annotation.quality.table import JudgmentTable

REST_S = 30 * 60.0  # seconds between two judgments of one sitting, at most


def places_in_session(table: JudgmentTable, saved_at: Floats) -> Ints:
    """(n,): which card of the sitting each judgment was, from 1; 0 where it is unknown.

    `saved_at`: (n,), seconds; NaN: not known. Revisions and repeats of a sitting stand at the card they followed. A
    sitting of several judgments that were all saved at one moment is a file that came in, and tells nothing.
    """
    timed = np.flatnonzero(~np.isnan(saved_at))
    ordinal = np.zeros(len(table), dtype=np.int64)
    if not len(timed):
        return ordinal
    row = timed[np.lexsort((table.sequence[timed], saved_at[timed], table.annotator[timed]))]
    at, who = saved_at[row], table.annotator[row]
    begins = np.append(True, (np.diff(who) != 0) | (np.diff(at) > REST_S))
    start = np.flatnonzero(begins)
    sitting = np.cumsum(begins) - 1
    card = np.cumsum(table.revision[row] == 1)
    first = card[start] - (table.revision[row[start]] == 1)
    end = np.append(start[1:], len(row)) - 1
    real = (at[end] > at[start]) | (end == start)
    ordinal[row] = np.where(real[sitting], np.maximum(card - first[sitting], 1), 0)
    return ordinal
