import pytest

from annotation.text.counted import counted, with_sign


@pytest.mark.parametrize(
    ("n", "words"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (2400, "2,400 pairs"), (-1, "-1 pairs")]
)
def test_one_is_one(n: int, words: str) -> None:
    assert counted(n, "pair") == words


def test_other_words_for_several() -> None:
    assert [counted(n, "person", "people") for n in (1, 2)] == ["1 person", "2 people"]
    assert [counted(n, "pair is", "pairs are") for n in (1, 2)] == ["1 pair is", "2 pairs are"]


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [(0.125, ".2f", "+0.12"), (-0.5, ".1f", "−0.5"), (0.0, ".1f", "+0.0"), (-1e-5, ".2g", "−1e-05")],
)
def test_a_minus_is_no_hyphen(value: float, form: str, text: str) -> None:
    assert with_sign(value, form) == text
