"""Schema, addresses and commands are those recorded in recorded/; `make record` writes them anew."""

import pytest

from tests.unchanged.facts import FACTS, RECORDED

ANEW = "differs from what is recorded: if that is meant, `make record` and commit the difference"


@pytest.mark.parametrize("name", sorted(FACTS))
def test_it_is_as_recorded(name: str) -> None:
    assert FACTS[name]().splitlines() == (RECORDED / name).read_text("utf-8").splitlines(), f"{name} {ANEW}"


def test_nothing_is_recorded_that_is_not_looked_at() -> None:
    assert {file.name for file in RECORDED.iterdir()} == set(FACTS)
