"""Policies side by side, over HTTP."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from annotation.models import Policy
from annotation.quality.consolidation import CONSOLIDATORS, RULE_WORDS
from annotation.quality.policy import Policy as Parameters
from annotation.quality.wilson import Share
from annotation.trust.pages.policies import new_policy_query
from annotation.trust.read.comparison import Comparison
from annotation.trust.steps.policies import store_policy
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_gold

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/policies/compare"


def started() -> tuple[People, Worked, str]:
    """The worked campaign, with gold in its second topic too, and the address of the default beside a rule."""
    people = make_people()
    worked = make_worked(people.collection)
    make_gold(worked.items["d1"], 3)
    return people, worked, f"{PAGE}?batch={worked.batch.token}&policy=default+v1&rule=majority&rule=dawid_skene"


def compared(people: People, address: str) -> Comparison:
    comparison = people.client("admin").get(address).context["comparison"]
    assert isinstance(comparison, Comparison)
    return comparison


def test_researchers_compare_and_nothing_is_stored() -> None:
    people, _, address = started()
    assert people.statuses(PAGE) == people.statuses(address) == RESEARCH_ONLY
    assert Policy.objects.count() == 0


def test_without_a_batch_the_page_says_what_will_be_here() -> None:
    assert "Nothing to compare yet" in make_people().client("admin").get(PAGE).text


def test_nothing_is_reckoned_until_something_is_asked_for() -> None:
    people, _, _ = started()
    answer = people.client("admin").get(PAGE)
    assert (answer.status_code, answer.context["comparison"]) == (200, None)
    assert all(f'value="{rule}"' in answer.text for rule in CONSOLIDATORS)


def test_coverage_gold_and_reasons_side_by_side() -> None:
    people, _, address = started()
    comparison = compared(people, address)
    assert [row.name for row in comparison.rows] == ["default v1", "trial: majority", "trial: dawid_skene"]
    assert [(row.coverage.kept, row.coverage.total) for row in comparison.rows] == [(1, 4), (4, 4), (4, 4)]
    default, majority, _ = comparison.rows
    assert [(reason.key, reason.n) for reason in default.reasons] == [("too_few", 2), ("too_far_apart", 1)]
    assert (majority.reasons, majority.n_dropped) == ([], 0)
    assert comparison.n_gold == len(majority.gold) == 21
    assert (comparison.constant, comparison.n_constant) == (1, 20)  # all gold but that of d1
    text = people.client("admin").get(address).text
    assert "grade 1 for all of this gold would be right on 95 % of it (20)" in text
    assert [row.same for row in comparison.rows[:2]] == [Share(1, 1)] * 2  # d2; gold is the expert's under all


def test_the_table_goes_out_as_csv() -> None:
    people, _, address = started()
    table = address.replace("compare?", "compare.csv?")
    assert people.statuses(table) == RESEARCH_ONLY
    client = people.client("researcher")
    assert escape(table) in client.get(address).text
    answer = client.get(table)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="bees-policies.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    majority = compared(people, address).rows[1]
    assert [row["policy"] for row in rows] == ["default v1", "trial: majority", "trial: dawid_skene"]
    assert (rows[0]["kept"], rows[0]["to_decide"], rows[0]["dropped"]) == ("1", "4", "3")
    assert float(rows[1]["accuracy"]) == pytest.approx(majority.accuracy, abs=1e-4)
    assert Share(int(rows[1]["as_first"]), int(rows[1]["both_keep"])) == majority.same
    for wrong in ("", "?policy=none+v1", "?batch=none&policy=default+v1"):
        assert client.get(f"{PAGE}.csv{wrong}").status_code == 404


def test_the_page_says_what_each_rule_does_and_how_right_it_is() -> None:
    people, _, address = started()
    answer = people.client("researcher").get(address)
    text = answer.text
    for row in answer.context["comparison"].rows:
        assert escape(row.rule) in text
        assert row.rule == RULE_WORDS[row.outcome.policy.consolidation]
        assert f"{row.gold.n_right} of {row.gold.n_kept}" in text or row.accuracy is None
    assert "too few reliable judgments: 2" in text
    assert "cross-fitted" in text


def test_a_rule_on_trial_becomes_a_policy() -> None:
    people, _, address = started()
    client = people.client("admin")
    row = compared(people, address).rows[2]
    form = client.get(f"/c/bees/policies/new?from=default+v1&{new_policy_query(row)}").context["form"]
    initial = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    assert initial["name"] == "dawid_skene"
    entries = {name: value for name, value in initial.items() if value not in {None, False}}
    assert client.post("/c/bees/policies/new", entries).status_code == 302
    assert Policy.objects.get(name="dawid_skene").sha256 == row.outcome.policy.sha256


def test_gold_in_one_topic_is_left_out_pair_by_pair_and_it_is_said() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    answer = people.client("admin").get(f"{PAGE}?batch={worked.batch.token}&rule=median")
    comparison = answer.context["comparison"]
    assert (comparison.dealt, comparison.n_gold, comparison.rows[0].accuracy) == ("pairs", 20, 0.55)
    assert "gold pairs are dealt to five folds" in " ".join(answer.text.split())


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("rule=median", "Choose at least one batch."),
        ("batch={batch}", "Choose one to 8 policies and rules in all."),
        ("batch={batch}&rule=guess", "guess is not one of the available choices"),
        ("batch={batch}&policy=other+v1", "There is no such policy here."),
        ("batch=none&rule=median", "There is no such batch here."),
        ("batch={batch}&" + "&".join(f"rule={rule}" for rule in CONSOLIDATORS), "Choose one to 8"),
    ],
)
def test_a_choice_that_cannot_be(query: str, message: str) -> None:
    people, worked, _ = started()
    answer = people.client("admin").get(f"{PAGE}?{query.format(batch=worked.batch.token)}")
    assert answer.status_code == 422
    assert message in answer.text


def test_one_policy_or_three_take_as_many_questions() -> None:
    people, worked, _ = started()
    names = []
    for number in range(3):
        rule = Parameters(min_gold=number)
        names.append(str(store_policy(people.collection, name="mine", parameters=rule, actor=people.admin)))
    client, counts = people.client("admin"), []
    for n in (1, 3):
        chosen = "&".join(f"policy={name.replace(' ', '+')}" for name in names[:n])
        with CaptureQueriesContext(connection) as queries:
            assert len(client.get(f"{PAGE}?batch={worked.batch.token}&{chosen}").context["comparison"].rows) == n
        counts.append(len(queries))
    assert counts[0] == counts[1]
