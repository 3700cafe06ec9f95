"""The whole path over the demo collection: nine pages of a lead, eight annotators, one leaderboard."""

import pytest
from django.db import connection

from tests.conftest import shared_folder
from tests.journeys.campaign.browser import file
from tests.journeys.campaign.lead import HOME, Lead
from tests.journeys.campaign.material import Material, demo_material
from tests.journeys.campaign.walk import walk
from tests.journeys.clock import Clock

pytestmark = pytest.mark.both("journeys")


def gold_from_a_file(lead: Lead, material: Material) -> None:
    """One listed pair of each topic and grade, in the order of docnos, as a file with reasons."""
    taken: dict[tuple[str, int], str] = {}
    for (number, docno), grade in sorted(material.truth.items()):
        taken.setdefault((number, grade), docno)
    rows = [f"{number}\t{docno}\t{grade}\tknown from the authors\n" for (number, grade), docno in taken.items()]
    page = lead.browser.open(lead.browser.open(f"{HOME}gold/").link("From a file"))
    page = lead.browser.press(page, "Take as gold", file=file("gold.tsv", "".join(rows).encode()))
    assert f"Gold: {len(rows)} pairs set." in page.words
    assert sum(int(row["All"]) for row in page.table("Topic", "4", "All")) == len(rows)


@pytest.mark.skipif(
    connection.vendor == "sqlite" and shared_folder().is_dir(), reason="Cranfield's journey takes the same path"
)
@pytest.mark.django_db(transaction=True)
def test_from_files_to_a_leaderboard(clock: Clock) -> None:
    walk(demo_material(), clock=clock, take_gold=gold_from_a_file, seed=7)
