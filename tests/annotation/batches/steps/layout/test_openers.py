"""Strata: each pair knows from which part of its pool it is, so that a topic can open with some of each."""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from annotation.batches.steps.layout import lay_out
from annotation.batches.steps.layout.material import Kind
from annotation.batches.steps.layout.planning import plan_layout
from annotation.models import Item
from tests.annotation.batches.steps.layout.reserving import plan_reserved
from tests.annotation.batches.steps.layout.test_plan import WANTED, material
from tests.annotation.campaign import make_campaign

OPENING = replace(WANTED, opening_cards=3)


def test_a_pool_is_cut_into_equal_parts_by_rank() -> None:
    inputs = material(wanted=OPENING)
    for item in plan_layout(inputs).items:
        rank = inputs.topics[item.topic - 1].pool.index(item.document) if item.document % 1000 < 60 else None
        assert item.stratum in {0, 1, 2}
        assert rank is None or item.stratum == rank // 20


@pytest.mark.parametrize("n", [1, 2, 5, 7])
def test_there_are_as_many_parts_as_opening_cards(n: int) -> None:
    strata = {item.stratum for item in plan_layout(material(wanted=replace(WANTED, opening_cards=n))).items}
    assert strata == set(range(n))


def test_every_block_has_pairs_of_each_stratum() -> None:
    blocks: dict[int, Counter[int | None]] = defaultdict(Counter)
    for item in plan_layout(material(wanted=OPENING)).items:
        if item.kind is Kind.ORDINARY:
            blocks[item.block][item.stratum] += 1
    assert all(set(strata) == {0, 1, 2} for strata in blocks.values())
    assert all(max(strata.values()) - min(strata.values()) <= 3 for strata in blocks.values())


def test_what_is_not_of_the_pool_has_a_stratum_like_any_other() -> None:
    """Drawn by chance: known from outside the pool and checks are spread over the strata as the pool is."""
    plan = plan_layout(material(n_topics=60, wanted=OPENING))
    outside = Counter(item.stratum for item in plan.items if item.kind is not Kind.ORDINARY and not item.in_pool)
    n = sum(outside.values())
    assert n > 300
    assert all(abs(outside[stratum] / n - 1 / 3) < 0.08 for stratum in range(3))


def test_without_openers_there_are_no_strata_and_the_layout_is_as_before() -> None:
    plan = plan_reserved(material())
    assert {item.stratum for item in plan.items} == {None}
    opened = plan_reserved(material(wanted=OPENING))
    assert Counter(slot.due for slot in opened.slots) == Counter(slot.due for slot in plan.slots)


@pytest.mark.django_db
@pytest.mark.both("locks")
def test_strata_are_stored() -> None:
    campaign = make_campaign(n_topics=1, n_pairs=12, n_gold=0)
    batch = campaign.draft(opening_cards=4)
    lay_out(batch, actor=None)
    stored = {item.document.docno: item.stratum for item in Item.objects.filter(batch=batch).select_related("document")}
    assert stored == {f"D1-{rank:02}": rank // 3 for rank in range(12)}
    without = campaign.draft(name="second", opening_cards=0)
    lay_out(without, actor=None)
    assert set(Item.objects.filter(batch=without).values_list("stratum", flat=True)) == {None}
