"""A snapshot accounted for, through the job: against the values worked out by hand."""

from dataclasses import replace
from itertools import combinations

import pytest

from annotation.models import Snapshot
from evaluation.accounting.read import newest_accounting
from evaluation.accounting.steps.case_qrels import AS_IS, MAXIMUM, MEDIAN, ZERO
from evaluation.formats.accounting import AccountingResult, of_object
from evaluation.models import Accounting
from tests.evaluation.accounted import COUNTED, MEASURES, RANKED, account, by_hand, make_accountable

pytestmark = pytest.mark.django_db
CASES = (AS_IS, ZERO, MEDIAN, MAXIMUM)


@pytest.fixture
def result() -> AccountingResult:
    job = account(make_accountable())
    assert (job.state, job.error) == ("done", "")
    return of_object(Accounting.objects.get().result)


def test_the_cases_hold_what_was_dropped(result: AccountingResult) -> None:
    """d3, d4 and d5 are counted; d6 has no judgment and d7 a topic that the snapshot lacks."""
    assert result.cases == CASES
    assert result.n_topics == 2
    assert result.n_pairs == (22, 25, 25, 25)
    assert Accounting.objects.get().facts == {"n_counted": 3, "n_unjudged": 1, "n_elsewhere": 1}


def test_the_values_are_those_worked_out_by_hand(result: AccountingResult) -> None:
    tags = [run.tag for run in result.runs]
    assert tags == sorted(RANKED)
    for measure, (case, means) in (
        (one.measure, each) for one in result.measures for each in zip(CASES, one.mean, strict=True)
    ):
        assert means == pytest.approx([by_hand(tag, case, measure) for tag in tags], abs=1e-12), (measure, case)


def test_judged_dropped_and_never_judged_are_told_apart(result: AccountingResult) -> None:
    """Of the first three: keen has d4 and d3 dropped and d1 judged; plain has d8, which nobody judged; short has d5."""
    shares = {run.tag: (run.judged[0], run.judged[1] - run.judged[0], run.found) for run in result.runs}
    assert shares["keen"] == pytest.approx((1 / 6, 2 / 6, 1 / 2))
    assert shares["plain"] == pytest.approx((2 / 6, 0, 1 / 2))
    assert shares["short"] == pytest.approx((0, 1 / 2, 1 / 2))


def test_pairs_that_change_places_are_found(result: AccountingResult) -> None:
    assert [one.measure for one in result.measures] == MEASURES
    for one in result.measures:
        seen = {(each.before, each.after): each for each in one.changes}
        assert list(seen) == list(combinations(CASES, 2))
        for after in COUNTED:
            swapped = {frozenset((swap.ahead, swap.behind)) for swap in seen[AS_IS, after].swaps}
            assert swapped == _swapped(after, one.measure), (one.measure, after)
        assert {(s.ahead, s.behind) for s in seen[AS_IS, MEDIAN].swaps} >= {("plain", "keen")}


def _swapped(after: str, measure: str) -> set[frozenset[str]]:
    return {
        frozenset(pair)
        for pair in combinations(RANKED, 2)
        if _difference(pair, AS_IS, measure) * _difference(pair, after, measure) < 0
    }


def _difference(pair: tuple[str, ...], case: str, measure: str) -> float:
    first, second = (by_hand(tag, case, measure) for tag in pair)
    return round(first - second, 12)


def test_it_is_reckoned_once_and_for_each_snapshot() -> None:
    """The frozen files alone are read: judgments that came since change nothing, and another snapshot has its own."""
    campaign = make_accountable()
    account(campaign)
    first = Accounting.objects.get()
    campaign.worked.judge("d4", "Birch", 0)
    account(campaign)
    assert [each.pk for each in Accounting.objects.all()] == [first.pk]
    account(campaign, k=5)
    assert newest_accounting(campaign.snapshot) != first
    account(campaign)
    assert newest_accounting(campaign.snapshot) == first
    twin = Snapshot.objects.get(pk=campaign.snapshot.pk)
    twin.pk, twin.name = None, "twin"
    twin.save()
    account(replace(campaign, snapshot=twin))
    assert newest_accounting(twin) not in (None, first)
    assert newest_accounting(campaign.snapshot) == first
