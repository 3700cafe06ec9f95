import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.significance.overlap import (
    Order,
    average_overlap,
    order_by_value,
    rank_biased_overlap,
    set_overlap,
)
from tests.annotation.quality.worked import worked_example


@pytest.mark.shared
def test_webbers_figure_5(shared_data: Path) -> None:
    """Worked example average_overlap_webber_fig5: Webber, Moffat and Zobel 2010, figure 5."""
    example = worked_example(shared_data, "average_overlap_webber_fig5")
    overlap = average_overlap(example["input"]["s"], example["input"]["t"])
    assert list(overlap.by_depth) == pytest.approx(example["expected"]["AO_by_depth"], abs=example["tolerance"])
    assert (overlap.value, overlap.depth) == (overlap.by_depth[-1], 7)
    assert average_overlap(example["input"]["s"], example["input"]["t"], depth=3).value == overlap.by_depth[2]


@pytest.mark.shared
def test_overlap_of_assessors(shared_data: Path) -> None:
    """Worked example voorhees_overlap_definition: Voorhees 2000."""
    example = worked_example(shared_data, "voorhees_overlap_definition")
    a, b, c = ({str(d) for d in range(*example["input"][key])} for key in "ABC")
    overlaps = {"AB": set_overlap(a, b), "AC": set_overlap(a, c), "BC": set_overlap(b, c), "ABC": set_overlap(a, b, c)}
    assert overlaps == pytest.approx(example["expected"], abs=example["tolerance"])


# julian-urbano/sigir2024-rbo @ 463d6d5, rbo/test.csv, columns a.ext, a.min, a.max: Corsi and Urbano 2024. Beyond the
# end of the shorter order they extrapolate ties in another way, so the last two have none there.
PUBLISHED = [
    ("3 157 9", "19 7 3 4", 0.930093081332594, (0.678580739450433, 0.333244970824414, 0.817788056927883)),
    ("2 5 3 14", "5 8 2 39", 0.968922741966306, (0.580994268838527, 0.197411643060636, 0.918161527151621)),
    ("19fh d 4 3 2", "1h f 9 d 4 23 e", 0.959906916802432, (0.939211367148046, 0.485057290422878, 0.939211367148046)),
    ("2 a 1456", "246 a 7 1 5 c", 0.975209133774857, (0.90398769646913, 0.291516014222182, 0.939447506316658)),
]


@pytest.mark.parametrize(("first", "second", "p", "expected"), PUBLISHED)
def test_published_values_with_ties(first: str, second: str, p: float, expected: tuple[float, ...]) -> None:
    overlap = rank_biased_overlap(ties(first), ties(second), p=p)
    assert (overlap.value, overlap.low, overlap.high) == pytest.approx(expected, abs=1e-12)
    assert overlap.lengths == (len(first.replace(" ", "")), len(second.replace(" ", "")))


def ties(text: str) -> list[tuple[str, ...]]:
    """One letter a name; what stands together is tied."""
    return [tuple(group) for group in text.split()]


DEPTH = 1500


def summed(first: Sequence[str], second: Sequence[str], p: float) -> float:
    """RBO's definition over orders that go on far enough."""
    seen: dict[str, int] = {}  # in how many of the two
    total, shared = 0.0, 0
    for d, pair in enumerate(zip(first, second, strict=True), 1):
        for name in pair:
            seen[name] = seen.get(name, 0) + 1
            shared += seen[name] == 2
        total += (1 - p) * p ** (d - 1) * shared / d
    return total


def at_worst(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    """The two orders, going on with names that no other has."""
    return (
        first + [f"first-{d}" for d in range(len(first), DEPTH)],
        second + [f"second-{d}" for d in range(len(second), DEPTH)],
    )


def at_best(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    """The two orders, going on with what the other has and they lack, then with the same names."""
    both = [[*first], [*second]]
    for depth in range(1, DEPTH + 1):
        for here, there in ((0, 1), (1, 0)):
            if len(both[here]) < depth:
                top = both[there][: len(first) + len(second)]  # below that none is lacking
                lacking = [name for name in top[:depth] if name not in both[here]]
                both[here].append(lacking[0] if lacking else f"both-{depth}")
    return both[0], both[1]


@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
@pytest.mark.parametrize(
    ("first", "second"),
    [("abcdefg", "zcavwxy"), ("abc", "abc"), ("abc", "xyz"), ("ab", "bcdaef"), ("cbaxyz", "a"), ("xabcde", "edcba")],
)
def test_the_bounds_are_reached_by_orders_that_go_on(first: str, second: str, p: float) -> None:
    overlap = rank_biased_overlap(first, second, p=p)
    assert overlap.low == pytest.approx(summed(*at_worst([*first], [*second]), p), abs=1e-9)
    assert overlap.high == pytest.approx(summed(*at_best([*first], [*second]), p), abs=1e-9)
    assert overlap.low - 1e-12 <= overlap.value <= overlap.high + 1e-12
    turned = rank_biased_overlap(second, first, p=p)
    assert (turned.value, turned.low, turned.residual) == pytest.approx((overlap.value, overlap.low, overlap.residual))


def test_the_extrapolation_holds_the_last_agreement() -> None:
    """Equation 23 for orders of one length: agreement 2/3 at depth 3, and so for ever."""
    overlap = rank_biased_overlap("abc", "axb", p=0.9)
    agreement = [1, 1 / 2, *[2 / 3] * DEPTH]
    expected = sum(0.1 * 0.9**d * share for d, share in enumerate(agreement))
    assert overlap.value == pytest.approx(expected, abs=1e-9)
    assert rank_biased_overlap("abc", "abc").value == pytest.approx(1)
    assert rank_biased_overlap("abc", "abcdefgh").value == pytest.approx(1)
    assert rank_biased_overlap("abc", "xyz").value == 0


def broken(order: Order) -> Iterator[list[str]]:
    """Every way to break the ties."""
    for parts in itertools.product(*(itertools.permutations(group) for group in order)):
        yield [name for part in parts for name in part]


@pytest.mark.parametrize(
    ("first", "second"),
    [("abc", "abc"), ("a bcd", "bd ac"), ("abcd e", "e xa b"), ("ab", "c ab d e"), ("ab", "cdab"), ("xyz a", "bc")],
)
def test_ties_count_as_the_mean_over_all_ways_to_break_them(first: str, second: str) -> None:
    pairs = list(itertools.product(broken(ties(first)), broken(ties(second))))
    strict = [rank_biased_overlap(a, b, p=0.8) for a, b in pairs]
    overlap = rank_biased_overlap(ties(first), ties(second), p=0.8)
    assert overlap.value == pytest.approx(np.mean([one.value for one in strict]), abs=1e-12)
    assert overlap.low == pytest.approx(np.mean([one.low for one in strict]), abs=1e-12)
    assert overlap.residual == pytest.approx(np.mean([one.residual for one in strict]), abs=1e-12)
    mean = np.mean([average_overlap(a, b, depth=2).value for a, b in pairs])
    assert average_overlap(ties(first), ties(second), depth=2).value == pytest.approx(mean, abs=1e-12)


def test_long_orders_leave_no_residual() -> None:
    names = [f"d{i}" for i in range(3000)]
    overlap = rank_biased_overlap(names, names[::-1])
    assert overlap.residual == pytest.approx(0, abs=1e-12)
    assert (overlap.lengths, overlap.n_shared) == ((3000, 3000), 3000)


def test_systems_in_the_order_of_their_values() -> None:
    assert order_by_value(["a", "b", "c", "d"], np.array([0.2, 0.5, 0.2, 0.9])) == [("d",), ("b",), ("a", "c")]
    with pytest.raises(ValueError, match="2 names need as many finite values"):
        order_by_value(["a", "b"], np.array([0.1]))
    with pytest.raises(ValueError, match="finite"):
        order_by_value(["a", "b"], np.array([0.1, np.nan]))


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="'a' is twice in an order"):
        rank_biased_overlap("aba", "abc")
    with pytest.raises(ValueError, match="'b' is twice in an order"):
        average_overlap([("a", "b"), "b"], ["a", "b"])
    for empty in ([], [()]):
        with pytest.raises(ValueError, match="at least one name"):
            rank_biased_overlap("ab", empty)
    for p in (0.0, 1.0):
        with pytest.raises(ValueError, match="p lies between 0 and 1"):
            rank_biased_overlap("ab", "ab", p=p)
    for depth in (0, 3):
        with pytest.raises(ValueError, match="between 1 and 2, the length of the shorter order"):
            average_overlap("ab", "abc", depth=depth)
    with pytest.raises(ValueError, match="at least two sets"):
        set_overlap({"a"})
    with pytest.raises(ValueError, match="all sets are empty"):
        set_overlap([], [])
