"""The leaderboard's pages: who sees them, what they say, how they are sorted, what the CSV holds."""

import csv
import io
import re
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, Job, Role, Snapshot, User
from evaluation.engine.measures.names import split_names
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation, Run
from tests.evaluation.clients import signed_in
from tests.factories import make_collection, make_member, make_run, make_snapshot, make_user

pytestmark = pytest.mark.django_db

QRELS = "1 0 a 2\n1 0 b 0\n2 0 a 1\n10 0 d 1\n"
RUNS = {
    "good": "1 Q0 a 1 9 good\n2 Q0 a 1 9 good\n10 Q0 d 1 9 good\n",
    "middling": "1 Q0 b 1 9 middling\n1 Q0 a 2 8 middling\n2 Q0 a 1 9 middling\n",
    "poor": "1 Q0 b 1 9 poor\n",
}


def evaluated(tags: list[str] | None = None, measures: Sequence[str] = ()) -> tuple[Collection, Snapshot, Client]:
    collection = make_collection(admin=make_user())
    snapshot = make_snapshot(collection, QRELS, name="first")
    runs = [make_run(collection, RUNS[tag]) for tag in (tags or list(RUNS))]
    ask_evaluation(snapshot, runs, averaging="complete", measures=measures, created_by=None)
    job = claim_job()
    assert job is not None
    assert run_job(job).state == "done"
    return collection, snapshot, signed_in(make_member(collection, role=Role.RESEARCHER))


def page(client: Client, name: str, collection: Collection, **query: str) -> str:
    answer = client.get(reverse(name, args=[collection.slug]), query)
    assert answer.status_code == 200
    return answer.getvalue().decode()


@pytest.mark.parametrize("name", ["leaderboard", "leaderboard_evaluate", "leaderboard_topics", "leaderboard_csv"])
def test_who_sees_it(name: str) -> None:
    collection, _, researcher = evaluated()
    path = reverse(name, args=[collection.slug])
    admin = signed_in(User.objects.get(memberships__role=Role.ADMIN, memberships__collection=collection))
    annotator = signed_in(make_member(collection, role=Role.ANNOTATOR))
    outsider = signed_in(make_user())
    people = [admin, researcher, annotator, outsider, Client()]
    assert [person.get(path).status_code for person in people] == [200, 200, 403, 404, 302]


def test_one_evaluation_belongs_to_its_collection() -> None:
    collection, _, client = evaluated(["good"])
    other = make_collection(admin=make_user())
    stranger = signed_in(User.objects.get(memberships__collection=other))
    pk = Evaluation.objects.get().pk
    answer = client.get(reverse("evaluation", args=[collection.slug, pk]))
    assert answer.status_code == 200
    assert re.search(r"Top grade</dt><dd><span class=\"value\">2<", answer.text)  # the qrels' own
    assert stranger.get(reverse("evaluation", args=[collection.slug, pk])).status_code == 404
    assert stranger.get(reverse("evaluation", args=[other.slug, pk])).status_code == 404


def order_of_runs(text: str) -> list[str]:
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    return sorted(RUNS, key=lambda tag: table.index(f">{tag}</a>"))


def test_best_first_and_sortable() -> None:
    collection, _, client = evaluated()
    assert order_of_runs(page(client, "leaderboard", collection)) == ["good", "middling", "poor"]
    assert order_of_runs(page(client, "leaderboard", collection, sort="RR")) == ["poor", "middling", "good"]
    assert order_of_runs(page(client, "leaderboard", collection, sort="-tag")) == ["poor", "middling", "good"]
    assert order_of_runs(page(client, "leaderboard", collection, sort="nonsense")) == ["good", "middling", "poor"]


@pytest.mark.parametrize("sort", ["", "RR", "-RR"])
def test_runs_of_equal_values_stand_by_tag_in_either_direction(sort: str) -> None:
    collection, snapshot, client = evaluated(["good"])
    runs = [make_run(collection, RUNS["good"].replace("good", tag)) for tag in ("better", "alike")]
    ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=None)
    job = claim_job()
    assert job is not None
    run_job(job)
    answer = client.get(reverse("leaderboard", args=[collection.slug]), {"sort": sort})
    assert [row.evaluation.run.tag for row in answer.context["board"].rows] == ["alike", "better", "good"]


def test_the_table_holds_the_means_and_marks_the_best() -> None:
    collection, _, client = evaluated()
    text = page(client, "leaderboard", collection)
    assert "<strong>1.0000</strong>" in text
    assert "0.5000" in text  # RR of middling: (1/2 + 1 + 0) / 3


def test_an_interval_ends_where_the_measure_does() -> None:
    """Good has .5 or 1 by Success@1 in three topics; Student's interval would reach beyond 0 and 1."""
    collection, _, client = evaluated(measures=["Success@1"])
    text = page(client, "leaderboard", collection, sort="-Success@1")
    ends = re.findall(r"(-?[0-9]\.[0-9]+) to (-?[0-9.]+)", text)
    assert len(ends) > 10
    assert all(0 <= float(low) <= float(high) <= 1 for low, high in ends)


def test_documents_are_counted_in_whole_numbers() -> None:
    collection, _, client = evaluated(["good", "middling"], measures=["NumRet"])
    assert "<strong>3</strong>" not in page(client, "leaderboard", collection)  # more is not better
    cells = re.findall(r'<td class="num">\s*([^<\s]+)', page(client, "leaderboard", collection))
    assert cells.count("3") >= 2
    assert "3.0000" not in cells
    topics = page(client, "leaderboard_topics", collection, measure="NumRet")
    assert re.findall(r'<td class="num">\s*([^<\s]+)', topics) == ["1", "2", "1", "1", "1", "0"]
    path = reverse("evaluation", args=[collection.slug, Evaluation.objects.get(run__tag="good").pk])
    one = client.get(path).text
    assert "<strong>3</strong>" in one
    assert "<strong>1.0000</strong>" in one


def test_a_page_says_where_bpref_has_nothing_to_count() -> None:
    collection, _, client = evaluated(["good"])
    text = client.get(reverse("evaluation", args=[collection.slug, Evaluation.objects.get().pk])).text
    assert re.search(r"bpref counts judged documents that are not relevant\.\s+2\s+topics have none", text)


def test_the_plot_shows_the_stored_intervals() -> None:
    """Those of nDCG around 1 and those of DCG far above it alike: nothing else is cut."""
    collection, _, client = evaluated(measures=["DCG"])
    for measure in ("RR", "DCG"):
        context = client.get(reverse("leaderboard", args=[collection.slug]), {"sort": f"-{measure}"}).context
        marks = [mark.estimate for mark in context["plot"].marks]
        shown = {mark.name: (mark.value, mark.low, mark.high) for mark in marks}
        stored = {each.run.tag: each.means[measure] for each in Evaluation.objects.select_related("run")}
        assert shown == {tag: (one["mean"], one["low"], one["high"]) for tag, one in stored.items()}


def test_a_run_without_the_measure_comes_last_however_low_the_others_are() -> None:
    collection, snapshot, client = evaluated(["poor"], measures=["utility"])
    late = make_run(collection, RUNS["good"])
    ask_evaluation(snapshot, [late], averaging="complete", measures=[], created_by=None)
    job = claim_job()
    assert job is not None
    assert run_job(job).state == "done"
    Evaluation.objects.filter(run__tag="poor").update(means={"utility": {"mean": -84.5, "low": None, "high": None}})
    text = page(client, "leaderboard", collection, sort="-utility")
    assert text.index(">poor</a>") < text.index(">good</a>")


def test_without_a_snapshot_the_page_says_so() -> None:
    collection = make_collection(admin=make_user())
    client = signed_in(User.objects.get(memberships__collection=collection))
    assert "No snapshot yet" in page(client, "leaderboard", collection)


def test_an_unknown_snapshot_is_not_found() -> None:
    collection, _, client = evaluated()
    path = reverse("leaderboard", args=[collection.slug])
    assert client.get(path, {"snapshot": "nothing"}).status_code == 404
    assert client.get(path, {"snapshot": "first", "averaging": "sideways"}).status_code == 404


def test_evaluating_from_the_page_queues_one_job() -> None:
    collection, snapshot, client = evaluated(["good"])
    make_run(collection, RUNS["poor"])
    path = reverse("leaderboard_evaluate", args=[collection.slug])
    form = client.get(path).text
    assert 'value="poor"' in form
    answer = client.post(path, {"snapshot": "first", "averaging": "retrieved", "runs": ["poor"], "measures": "P@5"})
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"/c/{collection.slug}/leaderboard/?snapshot=first&averaging=retrieved",
    )
    job = Job.objects.latest("id")
    assert job.payload["runs"] == [Run.objects.get(tag="poor").pk]
    assert (job.payload["snapshot"], job.payload["averaging"]) == (snapshot.pk, "retrieved")
    assert job.payload["measures"][-1] == "P@5"
    assert "Evaluating 1 run." in page(client, "leaderboard", collection, snapshot="first")


def ticked(text: str) -> list[str]:
    return [m[1] for m in re.finditer(r'<input type="checkbox" name="runs" value="(\w+)"[^>]*\bchecked', text)]


def test_the_ticks_are_of_the_snapshot_and_the_way_chosen() -> None:
    collection, _, client = evaluated(["good", "poor"])
    make_snapshot(collection, QRELS, name="second")
    assert ticked(page(client, "leaderboard_evaluate", collection)) == ["good", "poor"]
    assert ticked(page(client, "leaderboard_evaluate", collection, snapshot="first")) == []
    query = {"snapshot": "first", "averaging": "retrieved", "measures": "P@7"}
    text = page(client, "leaderboard_evaluate", collection, **query)
    assert ticked(text) == ["good", "poor"]
    assert 'value="P@7"' in text


def test_a_page_that_waits_is_told_when_to_reload() -> None:
    collection, _, client = evaluated(["good"])
    path = reverse("leaderboard", args=[collection.slug])
    client.post(
        reverse("leaderboard_evaluate", args=[collection.slug]),
        {"snapshot": "first", "averaging": "complete", "runs": ["good"]},
    )
    assert client.get(path, headers={"HX-Request": "true"}).status_code == 204
    job = claim_job()
    assert job is not None
    run_job(job)
    done = client.get(path, headers={"HX-Request": "true"})
    assert (done.status_code, done["HX-Refresh"]) == (200, "true")


def test_an_unknown_measure_is_refused_with_what_was_meant() -> None:
    collection, _, client = evaluated(["good"])
    answer = client.post(
        reverse("leaderboard_evaluate", args=[collection.slug]),
        {"snapshot": "first", "averaging": "complete", "runs": ["good"], "measures": "nDGC@10"},
    )
    assert answer.status_code == 422
    assert "nDGC@10" in answer.text
    assert "nDCG" in answer.text
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("nDCG(gains='cubic')@10", "the gains of nDCG are"),
        ("AP(rel=0)", "the level rel of AP is a whole number of at least 1"),
        ("P@0", "the cutoff of P is at least 1"),
        ("nDCG(gains={1:2", "no measure"),
        ("x" * 5000, "no measure"),
        ("RBP(p=2)", "RBP"),
    ],
)
def test_a_parameter_of_no_sense_is_a_message_beside_the_field(measures: str, message: str) -> None:
    collection, _, client = evaluated(["good"])
    answer = client.post(
        reverse("leaderboard_evaluate", args=[collection.slug]),
        {"snapshot": "first", "averaging": "complete", "runs": ["good"], "measures": measures},
    )
    assert answer.status_code == 422
    assert any(message in fault for fault in answer.context["form"].errors["measures"])
    assert Job.objects.count() == 1


def test_what_the_engine_refused_is_said_on_the_page() -> None:
    collection, snapshot, client = evaluated(["good"])
    far = make_snapshot(collection, QRELS + "2 0 d 201\n", name="far")
    client.post(
        reverse("leaderboard_evaluate", args=[collection.slug]),
        {"snapshot": "far", "averaging": "complete", "runs": ["good"], "measures": "nDCG(gains='exp')@10"},
    )
    job = claim_job()
    assert job is not None
    assert run_job(job).state == "failed"
    reason = "the grade 201 is too great for gains of 2^grade − 1: at most 200"
    assert reason in page(client, "leaderboard", collection, snapshot=far.name)
    assert reason not in page(client, "leaderboard", collection, snapshot=snapshot.name)


def test_no_runs_is_an_error() -> None:
    collection, _, client = evaluated(["good"])
    answer = client.post(
        reverse("leaderboard_evaluate", args=[collection.slug]), {"snapshot": "first", "averaging": "complete"}
    )
    assert answer.status_code == 422


def test_topics_are_in_the_order_of_their_numbers_and_sortable_by_run() -> None:
    collection, _, client = evaluated()

    def topics(**query: str) -> list[str]:
        text = page(client, "leaderboard_topics", collection, measure="RR", **query)
        table = text[text.index("<tbody>") : text.index("</tbody>")]
        return re.findall(r'<th scope="row">\D*(\d+)\D*</th>', table)

    assert topics() == ["1", "2", "10"]
    assert topics(sort="-topic") == ["10", "2", "1"]
    assert topics(sort="-middling") == ["2", "1", "10"]


def test_the_topics_of_a_run_are_in_the_order_of_their_numbers() -> None:
    collection, _, client = evaluated(["middling"])
    answer = client.get(reverse("evaluation", args=[collection.slug, Evaluation.objects.get().pk]))
    assert [number for number, _ in answer.context["rows"]] == ["1", "2", "10"]


def test_the_csv_reads_back_exactly() -> None:
    collection, _, client = evaluated(["middling"])
    means = list(csv.DictReader(io.StringIO(page(client, "leaderboard_csv", collection))))
    rows = list(csv.DictReader(io.StringIO(page(client, "leaderboard_csv", collection, rows="topics"))))
    assert [row["topic"] for row in means] == ["all"]
    assert float(means[0]["RR"]) == (1 / 2 + 0 + 1) / 3  # added in the byte order of the topics: 1, 10, 2
    assert [(row["topic"], float(row["RR"])) for row in rows] == [("1", 0.5), ("10", 0.0), ("2", 1.0), ("all", 0.5)]


@pytest.mark.parametrize("name", ["leaderboard", "leaderboard_topics"])
def test_the_number_of_queries_does_not_grow_with_the_runs(name: str) -> None:
    counts = []
    for tags in (["good"], list(RUNS)):
        collection, _, client = evaluated(tags)
        with CaptureQueriesContext(connection) as queries:
            page(client, name, collection)
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("nDCG@20  P@5", ["nDCG@20", "P@5"]),
        ("AP( rel=2 ) nDCG(gains = 'exp')@10", ["AP( rel=2 )", "nDCG(gains = 'exp')@10"]),
        ("AP, RR,P@5 ,", ["AP", "RR", "P@5"]),
        ("ndcg_cut.10,20,AP(rel=2, judged_only=True) map", ["ndcg_cut.10,20", "AP(rel=2, judged_only=True)", "map"]),
        ("", []),
    ],
)
def test_blanks_and_commas_separate_measures_but_not_within_parentheses(typed: str, names: list[str]) -> None:
    assert split_names(typed) == names


def test_of_many_runs_the_best_by_the_measure_are_shown_topic_by_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.leaderboard.views.leaderboard.SHOWN_RUNS", 1)
    collection, _, client = evaluated()

    def shown(**query: str | list[str]) -> list[str]:
        answer = client.get(reverse("leaderboard_topics", args=[collection.slug]), {"measure": "RR", **query})
        assert answer.status_code == 200
        return [each.run.tag for each in answer.context["evaluations"]]

    assert shown() == ["good"]
    assert shown(run=["poor", "middling"]) == ["middling", "poor"]
    assert shown(run=["poor", "middling"], sort="-good") == ["middling", "poor"]
    monkeypatch.setattr("evaluation.leaderboard.views.leaderboard.MOST_RUNS", 2)
    assert shown(run=list(RUNS)) == ["good", "middling"]
    unknown = client.get(reverse("leaderboard_topics", args=[collection.slug]), {"measure": "RR", "run": "nobody"})
    assert unknown.status_code == 422


def test_the_overview_names_the_best_run_of_the_newest_evaluated_snapshot() -> None:
    collection, snapshot, client = evaluated(["good", "poor"])
    make_snapshot(collection, QRELS, name="not evaluated")
    usual = client.get(reverse("leaderboard", args=[collection.slug])).context
    assert (usual["snapshot"], usual["newer"].name, usual["board"] is None) == (snapshot, "not evaluated", False)
    board = page(client, "leaderboard", collection, snapshot="not evaluated")
    assert "Nothing evaluated yet" in board
    assert 'There are evaluations against <a href="?snapshot=first">first</a>.' in " ".join(board.split())

    def what_to_tell() -> tuple[str, str, str]:
        figures = client.get(reverse("collection", args=[collection.slug])).context["overview"].figures
        (best,) = [each for each in figures if each.name == "Best run"]
        return best.value, best.note, best.address

    value, note, address = what_to_tell()
    assert (value, note) == ("good", "nDCG@10 1.0000 on first")
    page_of_it = client.get(address)
    assert (page_of_it.context["board"].rows[0].tag, page_of_it.context["snapshot"]) == ("good", snapshot)
    make_run(collection, RUNS["good"].replace("good", "also"))
    ask_evaluation(snapshot, list(Run.objects.filter(tag="also")), averaging="complete", measures=(), created_by=None)
    job = claim_job()
    assert job is not None
    run_job(job)
    assert what_to_tell()[:2] == ("also", "nDCG@10 1.0000 on first; 1 more is as good")


def test_without_runs_or_qrels_pages_lead_to_their_imports() -> None:
    collection = make_collection(admin=make_user())
    client, here = signed_in(make_member(collection, role=Role.RESEARCHER)), f"/c/{collection.slug}"
    assert f'href="{here}/imports/new/qrels"' in client.get(f"{here}/leaderboard/").text
    make_snapshot(collection, QRELS)

    def offers(page: str) -> tuple[bool, bool]:
        """To import runs; a form."""
        text = client.get(f"{here}/{page}").text.partition("<main")[2]
        return f'href="{here}/runs/new"' in text, "csrfmiddlewaretoken" in text

    pages = ("leaderboard/evaluate", "reports/new", "runs/fuse")
    assert [offers(page) for page in pages] == [(True, False)] * 3
    for tag in list(RUNS)[:2]:
        make_run(collection, RUNS[tag])
    assert [offers(page) for page in pages] == [(False, True)] * 3
