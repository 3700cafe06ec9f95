"""A policy as a stored thing."""

import json
from dataclasses import asdict, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.policy import Policy, PolicyError

DEFAULT = (
    '{"accuracy_threshold":0.7,"consolidation":"median","count_not_blind":false,"count_unproven":false,'
    '"gold_pairs":"expert","max_range":1,"min_gold":10,"min_judgments":2}'
)
RULES = "median, majority, plurality, strict_majority, mean, accuracy_weighted, dawid_skene, ordinal, mace"


def test_policies_stored_before_other_rules_came_keep_their_names() -> None:
    assert Policy().sha256 == "829b962bfb81090b2cb2c3b2d0bfd015db3560831d310b8c62eece2cb1cce659"
    assert (
        Policy(consolidation="majority", max_range=None).sha256
        == "6ef2606b5c0ce83d75e3edc3a55bdab135c0f78580d997060874e462d84d682d"
    )


def test_the_default_policy_is_that_of_the_design() -> None:
    assert Policy().to_json() == DEFAULT
    assert Policy.from_json(DEFAULT) == Policy()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("min_gold", -1, "must not be below 0, not -1"),
        ("min_gold", 1.5, "must be a whole number, not 1.5"),
        ("min_gold", True, "must be a whole number, not True"),
        ("accuracy_threshold", 1.1, "must lie in 0 to 1, not 1.1"),
        ("accuracy_threshold", float("nan"), "must lie in 0 to 1, not nan"),
        ("accuracy_threshold", "0.7", "must be a number, not '0.7'"),
        ("count_unproven", 1, "must be true or false, not 1"),
        ("count_not_blind", None, "must be true or false, not None"),
        ("min_judgments", 0, "must be at least 1, not 0"),
        ("max_range", -1, "must not be below 0, not -1"),
        ("max_range", "1", "must be a whole number, not '1'"),
        ("consolidation", "guess", f"must be one of {RULES}, not 'guess'"),
        ("gold_pairs", "kept", "must be one of expert, judged, omitted, not 'kept'"),
    ],
)
def test_a_fault_names_its_field(name: str, value: object, reason: str) -> None:
    with pytest.raises(PolicyError) as built:
        replace(Policy(), **{name: value})  # type: ignore[arg-type]
    with pytest.raises(PolicyError) as read:
        Policy.from_json(json.dumps({**asdict(Policy()), name: value}))
    for caught in (built, read):
        assert (caught.value.field, caught.value.reason, str(caught.value)) == (name, reason, f"{name}: {reason}")


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        ("{", "", "not JSON"),
        ("[]", "", "a JSON object is expected"),
        ("{}", "accuracy_threshold", "is missing"),
        (DEFAULT.replace("min_gold", "min_golds"), "min_gold", "is missing"),
        (DEFAULT[:-1] + ',"zeal":1}', "zeal", "is no parameter of a policy"),
    ],
)
def test_a_stored_policy_says_everything_and_nothing_else(text: str, field: str, reason: str) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy.from_json(text)
    assert caught.value.field == field
    assert caught.value.reason.startswith(reason)


def test_every_parameter_changes_the_identity() -> None:
    other = Policy(5, 0.6, True, True, 3, None, "majority", "judged", True)
    identities = {replace(Policy(), **{f.name: getattr(other, f.name)}).sha256 for f in fields(Policy)}
    assert len(identities | {Policy().sha256}) == len(fields(Policy)) + 1


def test_equal_policies_are_one() -> None:
    assert Policy(accuracy_threshold=1).to_json() == Policy(accuracy_threshold=1.0).to_json()
    assert Policy(accuracy_threshold=1).sha256 == Policy(accuracy_threshold=1.0).sha256


@given(st.integers(0, 99), st.floats(0, 1), st.booleans(), st.none() | st.integers(0, 10))
def test_what_is_written_is_read(min_gold: int, threshold: float, unproven: bool, max_range: int | None) -> None:
    policy = Policy(min_gold=min_gold, accuracy_threshold=threshold, count_unproven=unproven, max_range=max_range)
    assert Policy.from_json(policy.to_json()) == policy
