"""How often somebody at the usual pace is taken for too fast, by how many people are compared."""

from functools import lru_cache

import numpy as np

from annotation.quality.annotators.pace import QUARTILES

FEW = (5, 10, 20, 50)
DRAWS = 400_000  # paces: shares come out within a tenth of a percent
SEED = 1


@lru_cache(maxsize=128)
def found_fast(n_people: int, spreads: float) -> float:
    """The share of people, all with normal paces of one and the same distribution, who lie more than `spreads` spreads
    below the middle, both taken from these `n_people` themselves as `pace_of` does it. Simulated with a fixed seed.

    The fewer there are, the worse their spread is known: a middle half that is close together by chance makes people
    beside it look far off. Of very many it comes to the tail of the normal distribution.
    """
    pace = np.random.default_rng(SEED).standard_normal((DRAWS // n_people, n_people))
    low, middle, high = np.quantile(pace, (0.25, 0.5, 0.75), axis=1, keepdims=True)
    return float((pace < middle - spreads * (high - low) / QUARTILES).mean())
