"""Whether gold is spread over grades and topics, in words; and the form that searches it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django import forms

from annotation.corpus.read.texts import topics_with_text
from annotation.gold.read.judged import JudgedGold
from annotation.kernel.forms import named_grades
from annotation.kernel.tables import natural_order
from annotation.models import Collection, ScaleVersion
from annotation.quality.gold_pairs.balance import balance_of
from annotation.text.counted import counted

_SOME = 10  # topics named at most
_TOO_MUCH = 0.5  # of the gold right by one grade: half of what tells people apart is gone


@dataclass(frozen=True)
class Verdict:
    """A finding about the gold as a whole; `tone` as of a note: "ok", "warn", "bad"."""

    words: str
    tone: str


def verdicts(collection: Collection, judged: JudgedGold, scale: ScaleVersion, *, threshold: float) -> list[Verdict]:
    """What is amiss with the gold there is, the worst first; that it is balanced, where nothing is. One query."""
    gold = judged.gold_by_pair
    if not gold:
        return []
    rank = {each["grade"]: at for at, each in enumerate(scale.grades)}
    topics = sorted({number for number, _ in gold}, key=natural_order)
    code = {number: at for at, number in enumerate(topics)}
    balance = balance_of(
        np.array([rank[each.grade] for each in gold.values()], dtype=np.int64),
        np.array([[grade in each.accepted for grade in rank] for each in gold.values()], dtype=np.bool_),
        np.array([code[number] for number, _ in gold], dtype=np.int64),
    )
    verdicts = [
        _constant(scale.grades[balance.best]["grade"], balance.best_share, threshold),
        _missing([scale.grades[at]["grade"] for at in balance.missing.tolist()]),
        _without(collection, topics),
        _alike([topics[at] for at in balance.one_grade_topics.tolist()]),
    ]
    amiss = [each for each in verdicts if each]
    return amiss or [Verdict(_balanced(scale, balance.best, balance.best_share), "ok")]


def _balanced(scale: ScaleVersion, best: int, share: float) -> str:
    return (
        f"Balanced: every grade and every topic has gold, and always answering {scale.grades[best]['grade']} would be "
        f"right on no more than {round(100 * share)} % of it."
    )


def _constant(grade: int, share: float, threshold: float) -> Verdict | None:
    if share < _TOO_MUCH:
        return None
    passes = share >= threshold
    then = f"; {round(100 * threshold)} % is reliable, so they would pass" if passes else ""
    words = (
        f"Whoever always answers {grade} is right on {round(100 * share)} % of the gold without reading{then}. "
        "Add gold of other grades."
    )
    return Verdict(words, "bad" if passes else "warn")


def _missing(grades: Sequence[int]) -> Verdict | None:
    if not grades:
        return None
    listed = " and ".join(filter(None, [", ".join(map(str, grades[:-1])), str(grades[-1])]))
    what = "these grades" if len(grades) > 1 else "this grade"
    return Verdict(f"No gold of grade {listed}: whether people know {what}, nobody can tell.", "warn")


def _without(collection: Collection, topics: Sequence[str]) -> Verdict | None:
    numbers = topics_with_text(collection).exclude(number__in=topics).order_by("pk").values_list("number", flat=True)
    missing = list(numbers)
    if not missing:
        return None
    n_all = len(missing) + len(topics)
    have = "has" if len(missing) == 1 else "have"
    return Verdict(
        f"{len(missing)} of {counted(n_all, 'topic')} {have} no gold: {_listed(missing)}. "
        "People who judge nothing else stay unproven.",
        "warn",
    )


def _alike(numbers: Sequence[str]) -> Verdict | None:
    if not numbers:
        return None
    have = "topics have" if len(numbers) > 1 else "topic has"
    return Verdict(
        f"{len(numbers)} {have} gold of one grade alone: {_listed(numbers)}. Whoever notices can guess the rest.",
        "warn",
    )


def _listed(numbers: Sequence[str]) -> str:
    more = f" and {len(numbers) - _SOME} more" if len(numbers) > _SOME else ""
    return ", ".join(numbers[:_SOME]) + more


class GoldSearchForm(forms.Form):
    """By words and grade."""

    q = forms.CharField(required=False, max_length=200, label="Search")
    grade = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)

    def __init__(self, *args: Any, scale: ScaleVersion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        grade = self.fields["grade"]
        assert isinstance(grade, forms.ChoiceField)
        grade.choices = [("", "All grades"), *named_grades(scale)]
