"""What the page says of agreement, in sentences."""

from collections.abc import Sequence

import numpy as np
import pytest

from annotation.quality.agreement import counts_of_votes
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes
from annotation.trust.pages.agreement import AgreementReport

pytestmark = pytest.mark.both("reads")

N_TOPICS = 6


def report_of(items: Sequence[Sequence[int]]) -> AgreementReport:
    """Items with the grades that people gave, dealt to six topics in turn."""
    pair = np.repeat(np.arange(len(items)), [len(grades) for grades in items])
    person = np.concatenate([np.arange(len(grades)) for grades in items])
    votes = Votes(pair, person, np.concatenate([np.array(grades) for grades in items]), len(items))
    scale = Scale()
    return AgreementReport(counts_of_votes(votes, scale, np.arange(len(items)) % N_TOPICS), votes, scale)


def rounds(n_alike: int, n_apart: int, apart: Sequence[int] = (0, 3)) -> list[list[int]]:
    """Grades 0, 1, … 4 in turn, given by two people alike, then items on which they are apart."""
    return [[n % 5] * 2 for n in range(n_alike)] + [list(apart)] * n_apart


@pytest.mark.parametrize(
    ("items", "words"),
    [
        (rounds(120, 2), "people can stand in for each other"),
        (rounds(120, 18), "good enough for tentative conclusions"),
        (rounds(60, 30), "below 0.667, which Krippendorff asks for"),
        ([[0, 1], [1, 1], [2, 1], [2, 0], [0, 0], [1, 2]] * 60, "cannot be told from chance"),
        (rounds(75, 100, (1, 4)), "worse than chance"),
        (rounds(480, 160, (0, 4)), "little more than chance"),
    ],
)
def test_how_strong_agreement_is(items: list[list[int]], words: str) -> None:
    [sentence] = report_of(items).conclusions
    assert sentence.startswith("α is ")
    assert "with other topics would likely lie between" in sentence
    assert words in sentence


def test_a_grade_that_most_judgments_have_is_named() -> None:
    _, dominated = report_of([[0, 0]] * 110 + [[0, 1]] * 8 + [[1, 1]] * 2).conclusions
    assert dominated.startswith("95 % of the judgments compared are of grade 0")


def test_without_a_pair_to_compare_the_reason_is_said() -> None:
    report = report_of([[1], [2]])
    assert report.conclusions == ["Krippendorff’s α is undefined. Only one person has judged."]
    assert (report.n_pairs, report.alpha_row.agreement) == (0, report.alpha)


def test_few_topics_leave_the_interval_over_documents() -> None:
    items = rounds(8, 2)
    votes = report_of(items).votes
    report = AgreementReport(counts_of_votes(votes, Scale(), np.zeros(10, dtype=np.int64)), votes, Scale())
    assert "with other documents would likely lie between" in report.conclusions[0]


def test_no_row_is_without_words_or_without_value_and_reason() -> None:
    for report in (report_of(rounds(30, 5)), report_of([[1], [2]]), report_of([[2, 2]] * 9)):
        for row in (*report.first, *report.further):
            assert row.meaning
            assert (row.agreement.value is None) == bool(row.agreement.reason)
            assert row.over_items is None or row.over_items.defined or row.over_items.reason
    complete = report_of(rounds(30, 5))
    assert all(row.agreement.defined for row in complete.further if not row.name.startswith("Cohen"))


def test_alpha_by_itself_has_the_intervals_that_it_has_among_the_others() -> None:
    report = report_of(rounds(30, 5))
    assert report.alpha_row == next(row for row in report.first if row.name == report.alpha_row.name)
