"""The whole path over Cranfield: nine runs at depth 10, gold from the qrels with unlisted pairs as grade 0."""

from pathlib import Path

import pytest

from tests.journeys.campaign.lead import HOME, Lead
from tests.journeys.campaign.material import Material, cranfield_material
from tests.journeys.campaign.walk import walk
from tests.journeys.clock import Clock

NUMBERS = ("8", "58", "90", "97", "100", "132", "133", "196", "199", "212", "218")  # 313 pairs, runs that differ
UNLISTED = 2


def gold_from_qrels(lead: Lead, material: Material) -> None:
    """One pair of each topic and grade, and two unlisted ones of each topic from the pool: said to be 0."""
    grades = {(number, grade) for (number, _), grade in material.truth.items() if number in material.numbers}
    page = lead.browser.open(lead.browser.open(f"{HOME}gold/").link("From imported qrels"))
    page = lead.browser.press(
        page,
        "Take as gold",
        snapshot="truth",
        per_grade=1,
        unlisted="zero",
        pool="tops",
        n_unlisted=UNLISTED,
        seed=3,
    )
    n_zero = UNLISTED * len(material.numbers)
    assert f"Gold: {len(grades) + n_zero} pairs set, {n_zero} of them unlisted." in page.words
    totals = page.table("Topic", "4", "All")
    assert sum(int(row["0"]) for row in totals) == n_zero


@pytest.mark.alike("the demo journey takes the same path on PostgreSQL")
@pytest.mark.shared
@pytest.mark.django_db(transaction=True)
def test_from_files_to_a_leaderboard(clock: Clock, shared_data: Path) -> None:
    material = cranfield_material(shared_data / "cranfield", numbers=NUMBERS)
    walk(material, clock=clock, take_gold=gold_from_qrels, seed=7, gold_share=28)
