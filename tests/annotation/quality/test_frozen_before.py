"""What was frozen before there were other rules than median and majority is still the same."""

from hashlib import sha256
from pathlib import Path

import pytest

from annotation.formats.snapshot_jsonl import snapshot_jsonl
from annotation.quality.frozen import freeze, outcome_of
from annotation.quality.policy import Policy
from tests.annotation.quality.crowd import trec_rf10

# Of the frozen file, and of all its pairs, kept and dropped, as JSONL: made by the state of 22 November 2026, abdbb8b.
FROZEN = {
    "median": (
        "6bf58d0f04e11282078ddad09f82cb0adb4a6e9cb613f58ab91a61a075ce7b49",
        "20bf794fa91224d9a17b22b39d5d1aa75f82e224a56f19926113168d0658780b",
    ),
    "majority": (
        "df38705e086ca748f746deec0efbac78fcb7fba094cb98ca7e30a817db80b0cd",
        "a76bb128c6fba99c604e8a8cf877e305fdabbd4292b766dc6d62b7fa2d7bb991",
    ),
}


@pytest.mark.shared
def test_a_snapshot_of_rf10_is_rebuilt_as_it_was(shared_data: Path) -> None:
    inputs = trec_rf10(shared_data)
    for rule, hashes in FROZEN.items():
        policy = Policy(accuracy_threshold=0.4, count_unproven=True, consolidation=rule, gold_pairs="judged")
        data = freeze(inputs, policy)
        outcome = outcome_of(data)
        pairs = b"".join(snapshot_jsonl([*outcome.frozen_pairs(), *outcome.dropped_pairs()]))
        assert (sha256(data).hexdigest(), sha256(pairs).hexdigest()) == hashes
