"""Which entry of the navigation a page belongs to."""

import pytest

from annotation.kernel.navigation import section_of


@pytest.mark.parametrize(
    ("address", "section"),
    [
        ("quality_couples", "quality"),
        ("annotator", "quality"),
        ("policies_compare", "policies"),
        ("policy_new", "policies"),
        ("batch_health", "batches"),
        ("alerts", "alerts"),
        ("gold_supply", "gold"),
        ("adjudication", "adjudication"),
        ("topic", "topics"),
        ("snapshot_new", "snapshots"),
        ("home", ""),
        ("", ""),
    ],
)
def test_a_page_belongs_to_the_entry_that_its_name_begins_with(address: str, section: str) -> None:
    assert section_of(address) == section
