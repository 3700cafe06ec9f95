"""The space of stored vectors: page, API and commands say the same; what was found is not found again."""

import html
import json
from pathlib import Path

import numpy as np
import pytest
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Job
from annotation.text.counted import percent
from evaluation.models import SpaceDescription, VectorSet
from evaluation.vectors.pages.drawings import spectrum_words
from evaluation.vectors.pages.findings import findings_of, verdict
from tests.annotation.callers import RESEARCH, caller, send, statuses
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.vectors.made import Made, bring, bring_both, made_vectors
from tests.factories import make_snapshot

pytestmark = pytest.mark.django_db

PAGE, QUERIES_PAGE = "/c/bees/vectors/spaces/documents/mine", "/c/bees/vectors/spaces/queries/mine"
ADDRESS = reverse("api_space", args=["bees", "documents", "mine"])


def beginning() -> tuple[People, Made]:
    people = make_people()
    some = made_vectors(people.collection)
    bring_both(people.collection, some)
    make_snapshot(people.collection, "1 0 d1 2\n1 0 d3 0\n2 0 d4 1\n3 0 nowhere 1\n", name="official")
    return people, some


def work() -> Job:
    run = claim_job()
    assert run is not None
    return run_job(run)


def test_page_api_and_commands_say_the_same(tmp_path: Path) -> None:
    people, some = beginning()
    client, program = people.client("researcher"), caller(people.researcher)
    assert program.get(ADDRESS).json()["figures"] is None
    client.post(PAGE, {"snapshot": ""})
    assert program.get(ADDRESS).json()["job_url"] is not None
    assert work().state == Job.State.DONE
    answer = program.get(ADDRESS).json()
    _, documents = some.write(tmp_path)
    of_file = json.loads(ran("describe_vectors", str(documents), "--json").out)
    assert answer["figures"] == of_file
    described = ran("vectors", "describe", "bees", "mine", "documents", "--json").facts
    assert (described["figures"], described["verdict"]) == (of_file, answer["verdict"])
    assert SpaceDescription.objects.count() == 1
    page = client.get(PAGE)
    assert f"{of_file['effective_rank']:.4f}" in page.text
    assert answer["verdict"] in page.text
    drawn = answer["drawing"]
    assert (sum(drawn["cosines"]), drawn["pairs"], len(drawn["ids"])) == (105, 105, 15)
    exact = some.document.astype(np.float64)
    assert np.allclose(drawn["spectrum"], np.linalg.eigvalsh(np.cov(exact.T))[::-1])
    assert drawn["group"][0] == drawn["group"][1]  # of equal vectors
    assert page.text.count("<circle class=") >= 15


def test_the_alignment_is_that_of_queries_with_relevant_documents_whichever_side_is_looked_at() -> None:
    people, some = beginning()
    client = people.client("admin")
    for page in (PAGE, QUERIES_PAGE):
        client.post(page, {"snapshot": "official"})
        assert work().state == Job.State.DONE if page == PAGE else True
    query, document = (one / np.linalg.norm(one, axis=1, keepdims=True) for one in (some.query, some.document))
    expected = np.mean([((query[q] - document[d]) ** 2).sum() for q, d in ((0, 0), (1, 3))])
    stored = SpaceDescription.objects.get(vectors__side="documents")
    assert stored.figures["alignment"] == pytest.approx(expected, abs=1e-6)
    of_all = np.mean([((q - d) ** 2).sum() for q in query for d in document])
    assert stored.figures["alignment_of_all"] == pytest.approx(of_all, abs=1e-6)
    assert (stored.figures["alignment_pairs"], stored.rests_on["snapshot"]) == (2, "official")
    assert work().state == Job.State.DONE  # three queries have no ten nearest, and all other figures
    few = SpaceDescription.objects.get(vectors__side="queries").figures
    assert (few["hub_skewness"], few["alignment"]) == (None, pytest.approx(expected, abs=1e-6))
    note, without = "the 10 nearest of each take more than 10 vectors", client.get(QUERIES_PAGE).text
    assert [note in " ".join(text.split()) for text in (without, client.get(PAGE).text)] == [True, False]


@pytest.mark.parametrize(
    ("kind", "lines", "n_pairs"), [("classes", "d1 a\nd2 b\nd3 a\nd5 a\n", 3), ("pairs", "d1 d3\nd4 d5\n", 2)]
)
def test_the_alignment_is_that_of_classes_or_pairs_where_they_are_sent(
    kind: str, lines: str, n_pairs: int, tmp_path: Path
) -> None:
    people, some = beginning()
    client = people.client("admin")
    client.post(PAGE, {"snapshot": "official", kind: lines.replace("\n", "\r\n")})
    assert send(caller(people.admin), "post", ADDRESS, {"snapshot": "official", kind: lines}).status_code == 202
    assert [work().state, work().state] == [Job.State.DONE] * 2
    stored = SpaceDescription.objects.get()  # the same lines, asked for twice
    (tmp_path / "lines").write_text(lines)
    files = (str(some.write(tmp_path)[1]), f"--{kind}", str(tmp_path / "lines"))
    of_file = ran("describe_vectors", *files, "--json").facts
    of_all = stored.figures["alignment_of_all"]
    assert stored.figures == {**of_file, "alignment_pairs": n_pairs, "alignment_of_all": of_all, "alignment_from": kind}
    unit = some.document / np.linalg.norm(some.document, axis=1, keepdims=True)
    assert of_all == pytest.approx(((unit[:, None] - unit) ** 2).sum() / (15 * 14), abs=1e-5)
    assert ("within classes" if kind == "classes" else "belong") in client.get(PAGE).text
    command = ran("vectors", "describe", "bees", "mine", "documents", *files[1:], "--snapshot", "official", "--json")
    assert (command.facts["figures"], SpaceDescription.objects.count()) == (stored.figures, 1)


def test_two_models_are_one_number_by_page_api_and_commands(tmp_path: Path) -> None:
    people, some = beginning()
    other = some.document[::-1][:13, :5] + np.float32(0.25)
    bring(people.collection, "documents", other, some.docnos[::-1][:13], model="small")
    client, program = people.client("researcher"), caller(people.researcher)
    client.post(PAGE, {"snapshot": "", "against": "small"})
    assert work().state == Job.State.DONE
    (tmp_path / "small").mkdir()
    of_small = Made(some.numbers, some.docnos[::-1][:13], some.query, other).write(tmp_path / "small")[1]
    files = (str(some.write(tmp_path)[1]), "--against", str(of_small))
    of_file = ran("describe_vectors", *files, "--json").facts
    answer = program.get(ADDRESS).json()
    assert (answer["figures"], answer["rests_on"]["against"]["model"]) == (of_file, "small")
    assert answer["figures"]["against"]["n_rows"] == 13
    command = ran("vectors", "describe", "bees", "mine", "documents", "--against", "small", "--json").facts
    assert (command["figures"], SpaceDescription.objects.count()) == (of_file, 1)
    x, y = (side - side.mean(0) for side in (some.document[::-1][:13].astype(np.float64), other.astype(np.float64)))
    cka = np.linalg.norm(y.T @ x) ** 2 / np.linalg.norm(x.T @ x) / np.linalg.norm(y.T @ y)
    assert of_file["against"]["linear_cka"] == pytest.approx(cka, abs=1e-9)
    page = html.unescape(client.get(PAGE).text)
    assert f"{percent(of_file['against']['neighbour_overlap'])} are among the nearest of small, too." in page
    assert f"Linear CKA is {cka:.2f}" in page
    assert send(program, "post", ADDRESS, {"against": "small"}).status_code == 202
    assert ran("vectors", "delete", "bees", "small", "documents").code == 1  # a job works with them
    work()
    assert SpaceDescription.objects.count() == 1
    assert ran("vectors", "delete", "bees", "small", "documents").code == 0


def test_another_model_that_there_is_not_is_refused() -> None:
    people, some = beginning()
    client = people.client("admin")
    for name in ("mine", "nobody"):
        assert set(client.post(PAGE, {"against": name}).context["form"].errors) == {"against"}
        assert send(caller(people.admin), "post", ADDRESS, {"against": name}).status_code == 400
        assert ran("vectors", "describe", "bees", "mine", "documents", "--against", name, "--dry-run").code == 2
    zero = some.document.copy()
    zero[3] = 0
    bring(people.collection, "documents", zero, some.docnos, model="zero", similarity="inner")
    client.post(PAGE, {"against": "zero"})
    assert work().error.startswith("The vector of d4 is zero")


def test_the_other_model_may_change_or_go_or_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    people, some = beginning()
    client = people.client("admin")
    bring(people.collection, "documents", some.document * 2, some.docnos, model="other")
    client.post(PAGE, {"against": "other"})
    work()
    VectorSet.objects.get(model="other").delete()
    bring(people.collection, "documents", some.document**3, some.docnos, model="other")
    client.post(PAGE, {"against": "other"})
    work()
    alike = [stored.figures["against"]["linear_cka"] for stored in SpaceDescription.objects.order_by("made_at")]
    assert (len(alike), alike[0] == pytest.approx(1), alike[1] < 0.99) == (2, True, True)
    client.post(PAGE, {"against": "other"})
    client.post(PAGE, {"against": "other"})
    monkeypatch.setattr("evaluation.vectors.steps.describing.MOST_NUMBERS", 200)
    VectorSet.objects.filter(model="other").update(dim=32)
    assert "15 × 32 are more numbers than are described here" in work().error
    VectorSet.objects.get(model="other").delete()
    assert work().error == "The vectors or the judgments are not there any more."


def test_lines_that_are_wrong_are_refused() -> None:
    people, _ = beginning()
    client = people.client("admin")
    both = client.post(PAGE, {"pairs": "d1 d2", "classes": "d1 a"})
    assert (both.status_code, set(both.context["form"].errors)) == (422, {"classes"})
    client.post(PAGE, {"classes": "d1 a\n\nnobody a\nd1 b\n"})
    error = "classes:3: no vector has the id 'nobody'; classes:4: the id 'd1' has a class already"
    assert work().error == error
    assert error in html.unescape(client.get(PAGE).text)


def test_a_map_by_neighbours_where_the_worker_had_umap() -> None:
    people, _ = beginning()
    client = people.client("researcher")
    client.post(PAGE, {"snapshot": ""})
    work()
    stored = SpaceDescription.objects.get()
    stored.drawing.pop("umap", None)
    stored.save()
    assert "not installed with the worker" in client.get(PAGE, {"map": "umap"}).text
    stored.drawing["umap"] = [[n, n % 3] for n in range(15)]
    stored.save()
    plain, drawn = client.get(PAGE), client.get(PAGE, {"map": "umap", "snapshot": "official", "topic": "1"})
    assert ("?map=umap" in plain.text, plain.context["is_umap"], drawn.context["is_umap"]) == (True, False, True)
    assert [tick.text for tick in drawn.context["map"].upwards] == ["0.0", "0.5", "1.0", "1.5", "2.0"]
    assert "d1 A document: grade 2" in drawn.text
    assert drawn.text.count('name="map" value="umap"') == 1


def test_the_map_is_coloured_by_the_grades_of_a_topic() -> None:
    people, _ = beginning()
    client = people.client("researcher")
    client.post(PAGE, {"snapshot": ""})
    work()
    shown = client.get(PAGE, {"snapshot": "official", "topic": "1"})
    kinds = [dot.kind for dot in shown.context["map"].dots]
    assert (kinds.count("relevant"), kinds.count("grade0"), kinds.count("unjudged")) == (1, 1, 13)
    assert "d1 A document: grade 2" in shown.text
    assert client.get(PAGE, {"snapshot": "none", "topic": "1"}).context["groups"]


def test_who_looks_at_the_space() -> None:
    people, _ = beginning()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    assert statuses(people, ADDRESS) == RESEARCH
    assert send(caller(people.annotator), "post", ADDRESS).status_code == 403
    assert send(caller(people.admin), "post", ADDRESS, {"snapshot": "none"}).status_code == 400
    assert people.client("admin").get("/c/bees/vectors/spaces/documents/other").status_code == 404


def test_vectors_that_go_take_their_description_along() -> None:
    beginning()
    assert ran("vectors", "describe", "bees", "mine", "documents").code == 0
    assert ran("vectors", "delete", "bees", "mine", "documents").code == 0
    assert not SpaceDescription.objects.exists()


def test_too_many_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    beginning()
    monkeypatch.setattr("evaluation.vectors.steps.describing.MOST_NUMBERS", 100)
    ended = ran("vectors", "describe", "bees", "mine", "documents")
    assert (ended.code, "more numbers than are described" in ended.err) == (1, True)


def test_a_collapsed_space_is_said_to_be_one() -> None:
    people = make_people()
    some = made_vectors(people.collection, n_documents=30)
    rng = np.random.default_rng(3)
    flat = np.ones((30, 8), np.float32) + np.outer(rng.standard_normal(30), np.eye(8)[0]).astype(np.float32) * 0.1
    bring(people.collection, "documents", flat, some.docnos)
    assert ran("vectors", "describe", "bees", "mine", "documents").code == 0
    stored = SpaceDescription.objects.get()
    passed = {one.key for one in findings_of(stored.figures) if one.passes_level}
    assert {"effective_rank", "mean_cosine", "uniformity"} <= passed
    assert "usual warning levels are passed" in verdict(stored.figures)
    assert spectrum_words(stored.drawing) == "1 direction holds half of the variance, 1 nine tenths."


@pytest.mark.parametrize(("n_rows", "narrow"), [(12, 96), (60, 96), (60, 12)])
def test_few_vectors_are_no_reason_for_a_warning_and_a_narrow_space_is(n_rows: int, narrow: int) -> None:
    people = make_people()
    some = made_vectors(people.collection, n_documents=n_rows, dim=96)
    vector = np.random.default_rng(6).standard_normal((n_rows, 96)).astype(np.float32)
    vector[:, narrow:] *= 0.01
    bring(people.collection, "documents", vector, some.docnos)
    assert ran("vectors", "describe", "bees", "mine", "documents").code == 0
    findings = findings_of(SpaceDescription.objects.get().figures)
    assert ("top_10" in {one.key for one in findings}) == (n_rows == 60)
    passed = {one.key for one in findings if one.passes_level}
    assert passed == (set() if narrow == 96 else {"effective_rank", "faint", "top_10"})


def test_of_few_vectors_a_verdict_says_little() -> None:
    beginning()
    assert ran("vectors", "describe", "bees", "mine", "documents").code == 0
    assert verdict(SpaceDescription.objects.get().figures).endswith(": of 15 vectors that says little.")
