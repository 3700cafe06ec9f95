"""Columns of numbers must be Python's own, bit for bit, however they are written."""

import math
import random
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.numbers import DECIMAL, _digits, decimals, whole_numbers
from annotation.formats.text import Bytes, Ints


def laid(fields: list[str], first: int = 0) -> tuple[Bytes, Ints, Ints]:
    """The fields with a blank behind each, and where they lie from the field `first` on."""
    raw = np.frombuffer((" ".join(fields) + " " * 8).encode(), np.uint8)
    length = np.array([len(field) for field in fields])
    return raw, (np.cumsum(length + 1) - length - 1)[first:], length[first:]


def halfway(rng: random.Random) -> str:
    """Close to the middle between two float64s, where rounding is decided by the last digit."""
    x = rng.uniform(1, 2 ** rng.randrange(1, 12))
    return f"{Decimal(x) + Decimal(math.ulp(x)) / 2:.{rng.randrange(10, 18)}f}"


def any_digits(rng: random.Random) -> str:
    digits = "".join(rng.choices("0123456789", k=rng.randrange(1, 24)))
    at = rng.randrange(len(digits) + 1)
    return rng.choice(["", "+", "-"]) + digits[:at] + "." + digits[at:]


def test_decimals_are_pythons_to_the_last_bit() -> None:
    rng = random.Random(7)
    fields = [halfway(rng) for _ in range(20_000)] + [any_digits(rng) for _ in range(20_000)]
    fields += [repr(rng.uniform(-100, 100)) for _ in range(20_000)]
    fields += [f"{rng.gauss(0, 10**6):.{rng.randrange(9)}f}" for _ in range(20_000)]
    fields += [str(rng.randrange(10 ** rng.randrange(1, 24))) for _ in range(5000)]
    fields += [repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300)) for _ in range(5000)]
    values = decimals(*laid(fields))
    assert values is not None
    assert list(map(repr, values.tolist())) == [repr(float(field)) for field in fields]


def test_usual_numbers_are_not_read_one_by_one() -> None:
    rng = random.Random(8)
    fields = [repr(rng.uniform(-100, 100)) for _ in range(1000)] + ["0", "-1", "12.", "+.5", "-0.0", "1" * 19, "00.10"]
    assert _digits(*laid(fields))[-1].all()


@settings(max_examples=300)
@given(st.lists(st.from_regex(r"[0-9]{0,8}\.[0-9]{2}", fullmatch=True), min_size=1, max_size=4), st.data())
def test_as_many_digits_behind_each_point(fields: list[str], data: st.DataObject) -> None:
    """They are read in fewer steps, which must not let anything else pass: one character may be any."""
    row = data.draw(st.integers(0, len(fields) - 1))
    at = data.draw(st.integers(0, len(fields[row]) - 1))
    fields[row] = fields[row][:at] + data.draw(st.sampled_from("0919.+-e/:_x")) + fields[row][at + 1 :]
    values = decimals(*laid(["0" * 20, *fields], first=1))
    if all(DECIMAL.match(field) for field in fields):
        assert values is not None
        assert values.tolist() == [float(field) for field in fields]
    else:
        assert values is None


@pytest.mark.parametrize("places", range(1, 10))
def test_fixed_decimals_are_pythons_to_the_last_bit(places: int) -> None:
    rng = random.Random(places)
    for most in (1, 10**3, 10**6, 10**9):
        fields = [f"{rng.uniform(0, most):.{places}f}" for _ in range(500)]
        values = decimals(*laid(["0" * 20, *fields], first=1))
        assert values is not None
        assert values.tolist() == [float(field) for field in fields]


@settings(max_examples=500)
@given(st.lists(st.text("0123456789.+-eE/:_x", min_size=1, max_size=28), min_size=1, max_size=3))
def test_what_is_no_decimal_is_not_read(fields: list[str]) -> None:
    values = decimals(*laid(fields))
    if all(DECIMAL.match(field) and math.isfinite(float(field)) for field in fields):
        assert values is not None
        assert values.tolist() == [float(field) for field in fields]
    else:
        assert values is None


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["0", "-2", "+12", "007", "999999999", "-000000000000001"], [0, -2, 12, 7, 999999999, -1]),
        (["1", "1000000000"], None),
        (["1", "1.0"], None),
        (["1", "."], None),
        (["1", "-"], None),
        (["1", "--1"], None),
        (["1", "1e2"], None),
        (["1", "1" * 20], None),
        (["1", "18446744073709551617"], None),
    ],
)
def test_whole_numbers(fields: list[str], expected: list[int] | None) -> None:
    values = whole_numbers(*laid(fields), greatest=999_999_999)
    assert (None if values is None else values.tolist()) == expected
