"""A pool from runs: the live count and the making."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Pool
from evaluation.models import Run
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_collection, make_document, make_run, make_topic

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/pools/runs"
RUNS = {
    "one": ["1 Q0 a 1 9 one", "1 Q0 b 2 8 one", "1 Q0 c 3 7 one", "2 Q0 a 1 9 one"],
    "two": ["1 Q0 c 1 9 two", "1 Q0 a 2 8 two", "2 Q0 d 1 9 two", "7 Q0 d 1 9 two"],
    "stray": ["1 Q0 nowhere 1 9 stray", "1 Q0 a 2 8 stray", "2 Q0 lost 1 9 stray"],
}


def beginning() -> People:
    people = make_people()
    for number in ("1", "2", "3"):
        make_topic(people.collection, number)
    for docno in "abcd":
        make_document(people.collection, docno)
    for lines in RUNS.values():
        make_run(people.collection, "\n".join(lines) + "\n")
    return people


def entered(*tags: str, **changes: Any) -> dict[str, Any]:
    runs = list(Run.objects.filter(tag__in=tags).values_list("pk", flat=True))
    return {"name": "top", "runs": runs, "depth": 2, "topics": "all", "numbers": "", **changes}


def test_who_makes_pools_from_runs() -> None:
    people = beginning()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    assert people.statuses(f"{PAGE}/count") == RESEARCH_ONLY


@pytest.mark.parametrize(
    ("tags", "changes", "expected"),
    [
        (("one",), {}, "3 pairs in 2 topics, 1 to 2 each. 1 chosen topic without a document in these runs: 3"),
        (("one", "two"), {"depth": 1}, "4 pairs in 2 topics. 1 chosen topic without a document in these runs: 3"),
        (("one", "two"), {"topics": "listed", "numbers": "1"}, "3 pairs in 1 topic."),
        (("one", "two"), {"topics": "listed", "numbers": ""}, "List at least one topic, or choose all."),
        (("one",), {"topics": "listed", "numbers": "1 9 8 9"}, "Not in the collection: 9, 8."),
        (("one",), {"numbers": "1"}, "Choose “These topics” above, or leave this empty."),
        (("one",), {"depth": 0}, "Ensure this value is greater than or equal to 1."),
        ((), {}, "Choose runs and a depth to see how many pairs they give."),
    ],
)
def test_the_count_says_what_the_form_would_give(
    tags: tuple[str, ...], changes: dict[str, object], expected: str
) -> None:
    client = beginning().client("researcher")
    live = client.get(f"{PAGE}/count", entered(*tags, **changes)).text
    words = " ".join(live.replace('<strong class="num">', "").replace("</strong>", "").split())
    assert words == expected
    posted = client.post(PAGE, {**entered(*tags, **changes), "step": "count"})
    assert (posted.status_code, live.strip() in posted.text) == (200, True)
    assert not Pool.objects.exists()


def test_a_collection_without_topics_says_so() -> None:
    people = make_people()
    make_run(people.collection, "\n".join(RUNS["one"]) + "\n")
    form = people.client("researcher").post(PAGE, entered("one")).context["form"]
    assert form.errors == {"topics": ["The collection has no topics yet."]}


def test_counting_without_javascript_keeps_what_was_entered() -> None:
    client = beginning().client("researcher")
    posted = client.post(PAGE, {**entered("one", topics="listed", numbers="1"), "step": "count"})
    form = posted.context["form"]
    assert (form["name"].value(), form["depth"].value(), form["numbers"].value()) == ("top", "2", "1")
    assert [int(pk) for pk in form["runs"].value()] == list(Run.objects.filter(tag="one").values_list("pk", flat=True))
    assert form.errors == {}


def test_the_pool_is_the_union_of_the_tops_in_fused_order() -> None:
    people = beginning()
    client = people.client("researcher")
    answer = client.post(PAGE, entered("one", "two"))
    pool = Pool.objects.get()
    assert answer.headers["Location"] == f"/c/bees/pools/{pool.pk}/"
    pairs = pool.pairs.order_by("topic__number", "rank").values_list("topic__number", "document__docno", "rank")
    # topic 1: a at ranks 1 and 2 (1/61 + 1/62), c at rank 1 (1/61; its rank 3 is below the depth), b at rank 2;
    # topic 2: a and d both at rank 1, equal sums by docno descending. Topic 7 is not the collection's.
    assert list(pairs) == [("1", "a", 1), ("1", "c", 2), ("1", "b", 3), ("2", "d", 1), ("2", "a", 2)]
    assert (pool.n_pairs, pool.created_by) == (5, people.researcher)
    assert (pool.origin["kind"], pool.origin["depth"], pool.origin["runs"]) == ("runs", 2, ["one", "two"])


def test_documents_that_are_not_here_are_refused_with_a_list() -> None:
    answer = beginning().client("admin").post(PAGE, entered("one", "stray"))
    assert answer.status_code == 422
    assert [(p.file, p.line, p.reason) for p in answer.context["problems"]] == [
        ("the chosen runs", 0, "the collection has no document nowhere"),
        ("the chosen runs", 0, "the collection has no document lost"),
    ]
    assert "Import the missing documents" in answer.text
    assert not Pool.objects.exists()


def test_a_taken_name_no_run_and_a_foreign_run_are_refused() -> None:
    people = beginning()
    client = people.client("admin")
    Pool.objects.create(collection=people.collection, name="top")
    foreign = make_run(make_collection(), "1 Q0 a 1 9 foreign\n")
    errors = client.post(PAGE, entered("one")).context["form"].errors
    assert errors == {"name": ["The collection already has a pool of this name."]}
    errors = client.post(PAGE, entered(name="other")).context["form"].errors
    assert errors == {"runs": ["This field is required."]}
    errors = client.post(PAGE, entered(name="other", runs=[foreign.pk])).context["form"].errors
    assert list(errors) == ["runs"]


def test_the_number_of_queries_does_not_grow_with_runs() -> None:
    client = beginning().client("admin")

    def queries(*tags: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"{PAGE}/count", entered(*tags)).status_code == 200
        return len(seen)

    one = queries("one")
    assert queries("one", "two", "stray") == one
