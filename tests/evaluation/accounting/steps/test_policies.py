"""Policies by the ranking of runs, through the job: against the grades that each gives, worked out by hand."""

import pytest

from annotation.trust.read.policies import policies_of
from evaluation.accounting.read import compared_policies
from evaluation.accounting.steps.requests import ask_policies
from evaluation.formats.accounting import AccountingResult, of_object
from evaluation.models import Accounting
from tests.evaluation.accounted import RANKED, Accountable, make_accountable, mean_of, work
from tests.factories import make_collection, make_run

pytestmark = pytest.mark.django_db

# Of topic 1 by everybody's judgments (docs/quality.md): 3 3 0 3, 2 3 2 2, 0 2 1 1, 4 4 4, 1 1; d7 is of topic 2.
GRADES = {
    "default v1": {"d1": 3, "d2": 2},
    "trial: median": {"d1": 3, "d2": 2, "d3": 1, "d4": 4, "d5": 1},
    "trial: mean": {"d1": 2, "d2": 2, "d3": 1, "d4": 4, "d5": 1},
}


def ask(campaign: Accountable, *, rules: list[str], measures: list[str] | None = None) -> None:
    policies = [policy for policy in policies_of(campaign.worked.collection) if str(policy) == "default v1"]
    ask_policies(
        campaign.worked.collection,
        batches=[campaign.worked.batch],
        policies=policies,
        rules=rules,
        runs=campaign.runs,
        k=3,
        measures=measures or ["nDCG@3", "AP"],
        created_by=None,
    )


def test_runs_under_each_policy_are_those_worked_out_by_hand() -> None:
    """Topic 2, of which the default policy keeps nothing, is left out for all."""
    campaign = make_accountable()
    ask(campaign, rules=["median", "mean"])
    assert work().state == "done"
    stored = Accounting.objects.get()
    result = of_object(stored.result)
    assert result.cases == tuple(GRADES)
    assert (result.n_topics, result.n_pairs) == (2, (22, 25, 25))
    tags = [run.tag for run in result.runs]
    for one in result.measures:
        for case, means in zip(result.cases, one.mean, strict=True):
            assert means == pytest.approx([mean_of(tag, GRADES[case], one.measure) for tag in tags], abs=1e-12)
    _check_orders(result)
    facts = {each.name: each for each in compared_policies(stored, result)}
    counts = {name: (each.kept, each.total, each.n_topics, each.shared) for name, each in facts.items()}
    assert counts == {"default v1": (2, 7, 2, 22), "trial: median": (6, 7, 3, 25), "trial: mean": (6, 7, 3, 25)}
    assert facts["default v1"].accuracy is None  # gold of one topic cannot be cross-fitted


def _check_orders(result: AccountingResult) -> None:
    for one in result.measures:
        for each in one.changes:
            before, after = (
                {tag: mean_of(tag, GRADES[case], one.measure) for tag in RANKED} for case in (each.before, each.after)
            )
            swapped = {
                frozenset((a, b)) for a in RANKED for b in RANKED if (before[a] - before[b]) * (after[a] - after[b]) < 0
            }
            assert {frozenset((swap.ahead, swap.behind)) for swap in each.swaps} == swapped


def test_the_same_question_is_not_reckoned_twice() -> None:
    """Asked again it comes to the front; another k, another run or another judgment is another question."""
    campaign = make_accountable()
    ask(campaign, rules=["median"])
    work()
    first = Accounting.objects.get()
    Accounting.objects.update(facts={"untouched": True})
    ask(campaign, rules=["median"])
    work()
    again = Accounting.objects.get()
    assert (again.pk, again.facts) == (first.pk, {"untouched": True})
    assert again.made_at > first.made_at
    campaign.worked.judge("d6", "Amber", 3)
    ask(campaign, rules=["median"])
    work()
    assert Accounting.objects.count() == 2


def test_policies_that_share_no_topic_are_refused() -> None:
    """Nobody judged gold or anything else that the default policy keeps, but for the rule alone."""
    campaign = make_accountable()
    campaign.worked.collection.gold_events.all().delete()
    ask(campaign, rules=["median"])
    assert work().state == "done"  # the default policy keeps nothing now, and ranks nothing
    assert of_object(Accounting.objects.get().result).cases == ("trial: median",)
    for item in campaign.worked.items.values():
        item.judgments.all().delete()
    ask(campaign, rules=["median"])
    job = work()
    assert (job.state, job.attempt) == ("failed", 1)
    assert "keep no pair" in job.error


def test_what_is_asked_must_make_sense() -> None:
    campaign = make_accountable()
    with pytest.raises(ValueError, match="two policies or rules"):
        ask(campaign, rules=[])
    with pytest.raises(ValueError, match="more is not better"):
        ask(campaign, rules=["median"], measures=["NumRet"])
    stranger = make_run(make_collection(), "1 Q0 d1 1 1 stranger\n")
    with pytest.raises(ValueError, match="another collection"):
        ask(Accountable(campaign.worked, campaign.snapshot, [stranger]), rules=["median"])
    with pytest.raises(ValueError, match="at least one run"):
        ask(Accountable(campaign.worked, campaign.snapshot, []), rules=["median"])
