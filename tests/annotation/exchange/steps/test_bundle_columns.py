"""A new column of a model goes along in bundles, or it is said here that it stays behind."""

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from annotation.exchange.steps.bundles.parts.part import Part

PARTS: list[type[Part[object]]] = [import_string(path) for path in settings.TOUCHSTONE_BUNDLE_PARTS]
LEFT_BEHIND = {
    # Tokens are addresses here and nowhere else; texts get the time at which they come in.
    "topic_versions": {"created_at"},
    "document_versions": {"created_at"},
    "qualifications": {"token"},
    "qualification_pairs": {"token"},
    "items": {"token"},
    "judgments": {"token"},
    # Worked out from what comes in, or of the moment.
    "annotators": {"created_at", "gets_cards"},
    "batches": {"due", "n_items", "steering", "token"},
    "participations": {"cleared_for", "created_at", "pairs_end", "thrown"},  # a visit begins anew
    "slots": {"lease_until"},
    # Whether somebody has looked at it.
    "feedback": {"seen_at"},
    "appeals": {"seen_at", "token"},
    # Reckoned anew, and what the schedule met last.
    "series": {"looked", "next_due"},
}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_column_goes_along_or_is_left_behind_on_purpose(part: type[Part[object]]) -> None:
    """Foreign keys are named by the part's references."""
    fields = part.model._meta.concrete_fields
    columns = {each.name for each in fields if not each.is_relation and not each.primary_key}
    taken = set(part.row.__dataclass_fields__) | set(part.paths)
    assert columns - taken == LEFT_BEHIND.get(part.name, set())
