"""Machine judges on pages: beside people, with their figures, and marked wherever they count."""

import pytest
from django.test import Client

from annotation.models import Annotator, Batch, Policy
from annotation.quality.policy import Policy as Parameters
from annotation.quality.wilson import Share
from annotation.trust.pages.machines import MachineRow
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked

pytestmark = pytest.mark.django_db
QUALITY, MACHINES = "/c/bees/quality/", "/c/bees/quality/machines"
LM, KIND = "/c/bees/quality/annotators/lm/", "/c/bees/annotators/lm/kind"
# d1 and d2 have the grades 3 and 2 of people under the default policy; d4 drops; G00 and G01 are gold of grade 1.
SAID = {"d1": 3, "d2": 4, "d4": 4, "new": 1}
GOLD = {"G00": 1, "G01": 2}
COUNTING = Parameters(accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None, count_machines=True)


def file() -> str:
    rows = [("1", docno, grade) for docno, grade in SAID.items()] + [
        ("g", docno, grade) for docno, grade in GOLD.items()
    ]
    return "query\tdocno\tannotator\tgrade\n" + "".join(
        f"{number}\t{docno}\tlm\t{grade}\n" for number, docno, grade in rows
    )


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    worked = make_worked(people.collection)
    stored(people.collection, "judgments", file(), name="by model", machines="*")
    return people, worked, people.client("admin")


def machine(client: Client, query: str = "") -> MachineRow:
    (row,) = client.get(QUALITY + query).context["report"].machines
    assert isinstance(row, MachineRow)
    return row


def test_the_section_compares_a_machine_with_people_and_gold() -> None:
    _, _, client = started()
    figures, text = machine(client), client.get(MACHINES).text
    assert (figures.name, figures.excluded) == ("lm", False)
    assert (figures.compared.n_judged, figures.same.n_yes, figures.same.n, figures.compared.n_undecided) == (6, 1, 2, 2)
    assert (figures.gold.n_yes, figures.gold.n, figures.mean_bias) == (1, 2, 1.0)
    assert [(row.grade, row.n, row.bias) for row in figures.bias] == [(2, 1, 2.0), (3, 1, 0.0)]
    assert figures.kappa.defined
    for words in (
        "Machine judges",
        "lm: grade by grade",
        "Beware of the circle",
        "It grades 1.00 steps higher than people",
    ):
        assert words in text
    assert "machines count" not in text


def test_the_batch_that_brought_a_machine_says_where_its_grades_stand() -> None:
    _, _, client = started()
    batch = Batch.objects.get(name="by model")
    page = client.get(f"/c/bees/batches/{batch.token}/")
    assert 'href="/c/bees/quality/annotators/lm/"' in page.text
    assert "machine judge" in page.text
    health = client.get(f"/c/bees/batches/{batch.token}/health")
    assert health.context["machines"] == ["lm"]
    assert "Of a machine judge (lm) stand here only counts" in health.text
    assert "Only machine judges" in health.text
    other = Batch.objects.exclude(pk=batch.pk).first()
    assert other is not None
    assert client.get(f"/c/bees/batches/{other.token}/health").context["machines"] == []


def test_the_tables_go_out_as_csv() -> None:
    people, _, client = started()
    head, line = client.get(f"{QUALITY}machines.csv").getvalue().decode().splitlines()
    row = dict(zip(head.split(","), line.split(","), strict=True))
    assert (row["machine"], row["excluded"], row["judged"]) == ("lm", "no", "6")
    assert (row["compared"], row["same"]) == ("2", "0.5000")
    assert (row["bias"], row["gold"], row["right_on_gold"]) == ("1.0000", "2", "0.5000")
    cells = client.get(f"{QUALITY}machine-grades.csv").getvalue().decode().splitlines()
    assert cells[0] == "machine,people_grade,machine_grade,pairs"
    assert (len(cells), "lm,3,3,1" in cells, "lm,2,4,1" in cells, "lm,2,2,0" in cells) == (26, True, True, True)
    assert f"{QUALITY}machine-grades.csv" in client.get(MACHINES).text
    assert people.statuses(f"{QUALITY}machines.csv") == RESEARCH_ONLY


def test_people_and_their_agreement_are_as_without_the_machine() -> None:
    people, _, client = started()
    report = client.get(QUALITY).context["report"]
    assert [person.pseudonym for person in report.people] == ["Amber", "Birch", "Cedar", "Dune"]
    tokens = [batch.token for batch in Batch.objects.exclude(name="by model")]
    alone = client.get(QUALITY, {"batch": tokens, "policy": "default v1"}).context["report"]
    assert alone.coverage == report.coverage
    assert [(row.compared.n_judged, row.gold.n) for row in alone.machines] == [(0, 2)]  # gold is the collection's
    assert alone.agreement.alpha == report.agreement.alpha
    assert "lm" not in client.get("/c/bees/quality/annotators.csv").getvalue().decode()
    assert people.collection.annotators.get(pseudonym="lm").is_machine


def test_a_machine_has_a_page_of_its_own() -> None:
    people, _, client = started()
    answer = client.get(LM)
    assert [row.name for row in answer.context["machines"]] == ["lm"]
    assert "machine judge" in answer.text
    assert "Mark as a person" in answer.text
    assert "Mark as a person" not in people.client("researcher").get(LM).text
    exclude_annotator(Annotator.objects.get(pseudonym="lm"), reason="Another model.", actor=None)
    assert "Reinstate" in client.get(LM).text
    assert machine(client).excluded


def test_admins_mark_a_machine_and_take_it_back() -> None:
    people, _, client = started()
    assert people.statuses(KIND) == ADMINS_ONLY
    assert "A person after all" in client.get(KIND).text
    answer = client.post(KIND, {"reason": "An expert graded this file."}, follow=True)
    assert "lm is a person now" in answer.text
    assert not Annotator.objects.get(pseudonym="lm").is_machine
    assert "lm" in [person.pseudonym for person in client.get(QUALITY).context["report"].people]
    client.post(KIND, {"reason": "It was the model."})
    assert Annotator.objects.get(pseudonym="lm").is_machine
    assert client.post(KIND, {"reason": ""}).status_code == 422


def test_a_person_of_here_is_not_marked() -> None:
    _, _, client = started()
    answer = client.post("/c/bees/annotators/Amber/kind", {"reason": "x"})
    assert answer.status_code == 422
    assert "Amber has an account" in answer.text


def frozen(people: People, parameters: Parameters, name: str) -> int:
    policy: Policy = store_policy(people.collection, name=name, parameters=parameters, actor=None)
    batches = list(Batch.objects.order_by("pk"))
    return freeze_snapshot(people.collection, name=name, batches=batches, policy=policy, created_by=None).pk


def test_where_machines_count_it_is_said_wherever_the_qrels_are_shown() -> None:
    people, _, client = started()
    keys = {name: frozen(people, p, name) for name, p in {"plain": Parameters(), "with": COUNTING}.items()}
    for name, count in {"plain": 0, "with": 1}.items():
        assert client.get(f"/c/bees/snapshots/{keys[name]}/").text.count("machines count") == count
        assert client.get("/c/bees/leaderboard/", {"snapshot": name}).text.count("machines count") == count
    for address in ("/c/bees/snapshots/", "/c/bees/exports/"):
        assert client.get(address).text.count("machines count") == 1
    assert "machines count" in client.get(QUALITY, {"batch": tokens(), "policy": "with v1"}).text
    assert "Count machine judges like people" in client.get("/c/bees/policies/").text
    query = {"batch": tokens(), "policy": ["default v1", "with v1"]}
    compared = client.get("/c/bees/policies/compare", query)
    assert compared.text.count("machines count") == 1
    assert compared.context["comparison"].rows[1].same == Share(2, 2)  # what machines alone judged is not compared
    assert machine(client).same.n == 2


def tokens() -> list[str]:
    return [batch.token for batch in Batch.objects.all()]


def test_a_snapshot_that_counts_machines_holds_what_they_alone_judged_and_verifies() -> None:
    people, _, client = started()
    key = frozen(people, COUNTING, "with")
    assert b"1 0 new 1\n" in b"".join(client.get(f"/c/bees/snapshots/{key}/qrels"))
    answer = client.post(f"/c/bees/snapshots/{key}/verify", follow=True)
    assert "gives the same bytes" in answer.text
