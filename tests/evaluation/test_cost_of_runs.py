"""What a page makes the database read grows with the runs that it names, not with their number times itself."""

import pytest
from django.db import connection
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, User
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation, Run
from tests.evaluation.clients import signed_in
from tests.factories import make_collection, make_member, make_run, make_snapshot, make_user
from tests.rows_read import plan_by_indexes, rows_of, tell_all

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]

IS_SQLITE = connection.vendor == "sqlite"
SMALL, LARGE = 10, 50  # runs, beside the two best
ROWS_A_RUN = {
    "leaderboard": 4,
    "leaderboard_evaluate": 7,
    "leaderboard_compare": 4,
    "experiment_estimates": 7 if IS_SQLITE else 4,  # a row more where the snapshot is looked for among all evaluations
    "pool_runs": 3,  # 4 where the person who brought a run is read with it
}
OF_SQLITE = 2.5  # times as many, as it counts
ROOM = 20  # rows of plans that differ; one row more of each run is 40


@pytest.fixture(autouse=True)
def indexes() -> None:
    plan_by_indexes()


def test_pages_read_each_run_a_few_times() -> None:
    """Alone, and beside others: which index is as quick for few rows goes by all that the tables hold."""
    alone, small, large = (_rows_by_page(n) for n in (LARGE, SMALL, LARGE))
    runs = (LARGE - SMALL) * (OF_SQLITE if IS_SQLITE else 1)
    most = {page: small[page] + ROOM + runs * rows for page, rows in ROWS_A_RUN.items()}
    for n_rows in (alone, large):
        assert {page: (most[page], n) for page, n in n_rows.items() if n > most[page]} == {}


def _rows_by_page(n_runs: int) -> dict[str, int]:
    admin = make_user()
    collection = make_collection(admin=admin)
    _evaluate(collection, [make_member(collection) for _ in range(n_runs)])
    client = signed_in(admin)
    return {page: rows_of(client, reverse(page, args=[collection.slug])) for page in ROWS_A_RUN}


def _evaluate(collection: Collection, people: list[User]) -> None:
    """Two runs, and others of which each finds nothing, one by each of the people."""
    snapshot = make_snapshot(collection, "1 0 a 2\n2 0 a 1\n")
    ranked = {"good": ("a", "a"), "middling": ("a", "b"), "poor": ("b", "b")}
    runs = [
        make_run(collection, f"1 Q0 {first} 1 9 {tag}\n2 Q0 {second} 1 9 {tag}\n")
        for tag, (first, second) in ranked.items()
    ]
    ask_evaluation(snapshot, runs, averaging="complete", measures=(), created_by=None)
    job = claim_job()
    assert job is not None
    assert run_job(job).state == "done"
    poor = Evaluation.objects.select_related("run").get(snapshot=snapshot, run__tag="poor")
    of_all = {"collection": collection, "sha256": poor.run.sha256, "n_topics": 2, "n_rows": 2}
    others = [Run(tag=f"poor-{n}", created_by=person, **of_all) for n, person in enumerate(people)]
    copied = ("measures", "averaging", "means", "means_form", "n_topics", "n_missing", "sha256")
    columns = {name: getattr(poor, name) for name in copied}
    others = Run.objects.bulk_create(others)
    Evaluation.objects.bulk_create(Evaluation(snapshot=snapshot, run=run, **columns) for run in others)
    tell_all()
