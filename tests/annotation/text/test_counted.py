import pytest

from annotation.text.counted import counted


@pytest.mark.parametrize(
    ("n", "words"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (2400, "2,400 pairs"), (-1, "-1 pairs")]
)
def test_one_is_one(n: int, words: str) -> None:
    assert counted(n, "pair") == words


def test_other_words_for_several() -> None:
    assert [counted(n, "person", "people") for n in (1, 2)] == ["1 person", "2 people"]
    assert [counted(n, "pair is", "pairs are") for n in (1, 2)] == ["1 pair is", "2 pairs are"]
