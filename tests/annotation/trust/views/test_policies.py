"""Policies over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from annotation.models import Policy
from annotation.quality.consolidation import CONSOLIDATORS, RULE_WORDS
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.policies import parameters_of
from annotation.trust.steps.policies import store_policy
from tests.annotation.roles import RESEARCH_ONLY, make_people

pytestmark = pytest.mark.django_db
LIST, NEW = "/c/bees/policies/", "/c/bees/policies/new"
ENTRIES = {
    "name": "mild",
    "min_gold": "5",
    "accuracy_threshold": "0.5",
    "count_unproven": "on",
    "min_judgments": "1",
    "max_range": "",
    "consolidation": "majority",
    "gold_pairs": "judged",
}
MILD = Parameters(
    min_gold=5,
    accuracy_threshold=0.5,
    count_unproven=True,
    min_judgments=1,
    max_range=None,
    consolidation="majority",
    gold_pairs="judged",
)


def test_admins_and_researchers_store_policies() -> None:
    people = make_people()
    assert people.statuses(LIST) == people.statuses(NEW) == RESEARCH_ONLY
    answers = {who: people.client(who).post(NEW, ENTRIES).status_code for who in RESEARCH_ONLY}
    assert answers == {**RESEARCH_ONLY, "admin": 302, "researcher": 302}
    policy = Policy.objects.get()  # the second time it was the same
    assert (str(policy), parameters_of(policy), policy.created_by) == ("mild v1", MILD, people.admin)
    assert policy.sha256 == MILD.sha256


def test_every_rule_can_be_chosen_and_says_what_it_does() -> None:
    people = make_people()
    client = people.client("admin")
    page = client.get(NEW).text
    for rule in RULE_WORDS:
        assert f'<option value="{rule}"' in page
        assert client.post(NEW, {**ENTRIES, "name": rule, "consolidation": rule}).status_code == 302
    text = client.get(LIST).text
    assert all(escape(words) in text for words in RULE_WORDS.values())
    assert RULE_WORDS.keys() == CONSOLIDATORS.keys()


def test_one_field_believes_everybody() -> None:
    people = make_people()
    entries = {**ENTRIES, "accuracy_threshold": 0.7, "max_range": 1, "believe_all": "on"}
    entries.pop("count_unproven", None)
    assert people.client("admin").post(NEW, entries).status_code == 302
    parameters = parameters_of(Policy.objects.get())
    assert (parameters.accuracy_threshold, parameters.count_unproven, parameters.max_range) == (0.0, True, None)


def test_looking_stores_nothing_and_shows_the_built_in_default() -> None:
    client = make_people().client("admin")
    text = client.get(LIST).text
    assert "default v1" in text
    assert "Built in" in text
    assert Policy.objects.count() == 0


def test_another_policy_called_default_does_not_take_the_place_of_the_built_in_one() -> None:
    people = make_people()
    people.client("admin").post(NEW, {**ENTRIES, "name": "default"})
    stored = {str(policy): parameters_of(policy) for policy in Policy.objects.all()}
    assert stored == {"default v1": Parameters(), "default v2": MILD}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("min_gold", "-1"),
        ("min_gold", "many"),
        ("accuracy_threshold", "1.2"),
        ("min_judgments", "0"),
        ("max_range", "-2"),
        ("consolidation", "guess"),
        ("gold_pairs", "maybe"),
    ],
)
def test_an_error_names_its_parameter(field: str, value: str) -> None:
    answer = make_people().client("admin").post(NEW, {**ENTRIES, field: value})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert Policy.objects.count() == 0


def test_a_new_one_begins_with_another_and_what_the_address_says() -> None:
    people = make_people()
    store_policy(people.collection, name="mild", parameters=MILD, actor=None)
    form = people.client("admin").get(f"{NEW}?from=mild&count_unproven=False&min_judgments=2").context["form"]
    initial = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    assert initial == {
        "name": "mild",
        "believe_all": None,
        "min_gold": 5,
        "accuracy_threshold": 0.5,
        "count_unproven": False,
        "count_not_blind": False,
        "min_judgments": "2",
        "max_range": None,
        "consolidation": "majority",
        "gold_pairs": "judged",
        "count_machines": False,
    }


def test_the_list_asks_as_many_questions_for_one_as_for_three() -> None:
    people = make_people()
    client = people.client("researcher")
    counts = []
    for known in (1, 3):
        for number in range(Policy.objects.count(), known):
            store_policy(people.collection, name="mine", parameters=Parameters(min_gold=number), actor=people.admin)
        with CaptureQueriesContext(connection) as queries:
            assert len(client.get(LIST).context["rows"]) == known + 1
        counts.append(len(queries))
    assert counts[0] == counts[1]
