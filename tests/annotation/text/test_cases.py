"""Which worked examples come first: one of each grade, differently for each person and topic."""

from collections import Counter

import pytest

from annotation.text.cases import first_of_each, grades_without

GRADES = [0, 3, 0, 1, 3, 3, 4]


def test_each_grade_there_is_comes_once() -> None:
    for person in range(50):
        chosen = first_of_each(GRADES, f"{person} 7")
        assert sorted(GRADES[place] for place in chosen) == [0, 1, 3, 4]


def test_the_same_person_and_topic_see_the_same() -> None:
    assert first_of_each(GRADES, "5 bees") == first_of_each(GRADES, "5 bees")


def test_every_example_and_every_order_of_two_grades_comes_up() -> None:
    seen = [first_of_each(GRADES, f"{person} {topic}") for person in range(30) for topic in range(10)]
    assert {place for chosen in seen for place in chosen} == set(range(len(GRADES)))
    firsts = Counter(GRADES[chosen[0]] for chosen in seen)
    assert set(firsts) == {0, 1, 3, 4}
    assert min(firsts.values()) > 300 / 4 / 2  # nobody stands first for most of the people


def test_no_examples_no_choice() -> None:
    assert first_of_each([], "1 1") == []


@pytest.mark.parametrize(
    ("grades", "missing"), [([], [0, 1, 2]), ([0, 1, 2], []), ([2, 2, 9], [0, 1]), ([-1, 1], [0, 2])]
)
def test_grades_that_no_example_has(grades: list[int], missing: list[int]) -> None:
    assert grades_without(grades, [0, 1, 2]) == missing
