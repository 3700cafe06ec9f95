"""Work in the order of time, cut into stretches of about equal size."""

import numpy as np

from annotation.quality.arrays import Ints

MOST = 8


def stretches(moment: Ints, *, least: int, most: int = MOST) -> list[Ints]:
    """Places of `moment`, (n,), in its order, in at most `most` parts of at least `least`; one part where there are
    fewer than twice as many, none where there is nothing. Ties keep their order."""
    n_parts = max(1, min(most, len(moment) // least))
    order = np.argsort(moment, kind="stable").astype(np.int64)
    return [part for part in np.array_split(order, n_parts) if len(part)]
