"""What a process keeps has room for so many cells, however large an answer is."""

import pytest

from annotation.kernel.jobs import claim_job, run_job
from evaluation.engine.comparison import Design
from evaluation.leaderboard.read.comparing import compared_with
from evaluation.leaderboard.read.evaluations import column_of, means_at
from evaluation.leaderboard.read.kept import kept
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation
from tests.factories import make_collection, make_run, make_snapshot


def test_the_latest_answers_are_kept_while_their_cells_have_room() -> None:
    asked = list[int]()

    @kept(most=10, cells=len)
    def row(n: int) -> list[int]:
        asked.append(n)
        return [0] * n

    for n in (4, 3, 4, 5, 4, 3, 11, 11, 5):
        assert len(row(n)) == n
    # 5 takes the room of 3, asked for longest ago; 3 that of 5, 5 that of 4; 11 has none at all
    assert asked == [4, 3, 5, 3, 11, 11, 5]


def test_an_answer_that_is_larger_than_all_room_drives_none_out() -> None:
    asked = list[int]()

    @kept(most=10, cells=len)
    def row(n: int) -> list[int]:
        asked.append(n)
        return [0] * n

    for n in (10, 11, 10):
        row(n)
    assert asked == [10, 11]


@pytest.mark.django_db
def test_nobody_can_write_into_what_all_are_given() -> None:
    snapshot = make_snapshot(make_collection(), "1 0 d1 1\n2 0 d2 1\n")
    lines = ("1 Q0 d1 1 2 {0}\n2 Q0 d1 1 2 {0}\n", "1 Q0 d1 1 2 {0}\n2 Q0 d2 1 2 {0}\n")
    bees, wasps = (
        make_run(snapshot.collection, each.format(tag)) for each, tag in zip(lines, ("bees", "wasps"), strict=True)
    )
    ask_evaluation(snapshot, [bees, wasps], averaging="complete", measures=["AP"], created_by=None)
    claimed = claim_job()
    assert claimed is not None
    run_job(claimed)
    evaluation = bees.evaluations.get()
    column = column_of(evaluation, "AP")
    assert column is column_of(evaluation, "AP")
    asked: tuple[Design, list[Evaluation], str] = (
        Design(test="t", baseline="bees"),
        list(Evaluation.objects.all()),
        "AP",
    )
    comparison = compared_with(*asked)
    assert comparison is compared_with(*asked)
    assert comparison is not compared_with(Design(test="t", baseline="wasps"), *asked[1:])
    (pair,) = comparison.pairs
    for array in (column.value, column.mean, comparison.value, pair.value, pair.difference):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError):
        means_at(evaluation, 0.9)["AP"] = {}  # type: ignore[index]
