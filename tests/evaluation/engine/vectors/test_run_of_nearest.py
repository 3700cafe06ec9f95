"""What a search has retrieved becomes an ordinary run."""

import numpy as np

from evaluation.engine.vectors.run_of_nearest import run_of
from evaluation.engine.vectors.search import Nearest, search


def test_queries_stand_by_number_and_one_that_has_retrieved_nothing_is_not_in_the_run() -> None:
    nearest = Nearest(np.array([[2, 0], [-1, -1], [1, -1]]), np.array([[0.9, 0.5], [-np.inf, -np.inf], [0.3, -np.inf]]))
    run = run_of(nearest, ["q3", "q2", "q1"], ["a", "b", "c"], "ours")
    (part,) = run.parts
    assert (run.tag, run.numbers) == ("ours", ("q1", "q3"))
    assert (part.group.tolist(), part.length.tolist(), part.score.tolist()) == ([0, 1], [1, 2], [0.3, 0.9, 0.5])


def test_the_only_document_is_the_query_itself() -> None:
    one = np.ones((1, 4), np.float32)
    run = run_of(search(one, one, ["a"], k=3, own=np.array([0])), ["a"], ["a"], "ours")
    assert run.numbers == ()
