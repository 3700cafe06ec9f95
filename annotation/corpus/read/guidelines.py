"""A guideline as people read it."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Case, GuidelineVersion, ScaleVersion
from annotation.text.cases import first_of_each, grades_without
from annotation.text.markdown import MAX_LENGTH, render_markdown
from annotation.text.safe import SafeHtml


@dataclass(frozen=True)
class ShownCase:
    """A worked example; `index` counts from 0, `name` is that of its grade."""

    index: int
    topic: str
    document: str
    grade: int
    name: str
    reason: str


@dataclass(frozen=True)
class GuidelineContent:
    """`cases` are the worked examples to read first; the `further` ones stand behind them. A draft has no `number`."""

    number: int | None
    introduction_html: SafeHtml
    examples_html: SafeHtml
    edge_cases_html: SafeHtml
    cases: list[ShownCase]
    further: list[ShownCase]


def guideline_content(
    version: GuidelineVersion | None, scale: ScaleVersion | None = None, *, turn: str | None = None
) -> GuidelineContent | None:
    """The texts of a version, rendered and sanitised; its grades are named by `scale`.

    With `turn` (see `turn_of`) one example of each grade comes first; without it all do, as they were written.
    """
    if version is None:
        return None
    shown = [_shown(index, case, scale) for index, case in enumerate(version.cases)]
    first = range(len(shown)) if turn is None else first_of_each([case.grade for case in shown], turn)
    return GuidelineContent(
        version.number,
        render_markdown(version.introduction),
        render_markdown(version.examples),
        render_markdown(version.edge_cases),
        [shown[index] for index in first],
        [case for case in shown if case.index not in first],
    )


def guideline_drafted(
    *, introduction: str, examples: str, edge_cases: str, cases: Sequence[Case], scale: ScaleVersion | None
) -> GuidelineContent:
    """A draft as it will be read; texts that are too long are cut."""
    introduction, examples, edge_cases = (text[:MAX_LENGTH] for text in (introduction, examples, edge_cases))
    return GuidelineContent(
        None,
        render_markdown(introduction),
        render_markdown(examples),
        render_markdown(edge_cases),
        [_shown(index, case, scale) for index, case in enumerate(cases)],
        [],
    )


def turn_of(person: str, number: str) -> str:
    """The string that decides which examples come first: the person, as the page names them, and the topic."""
    return f"{person} {number}"


def uncovered_grades(cases: Sequence[Case], scale: ScaleVersion | None) -> list[int]:
    """The grades of the scale that no worked example has."""
    return grades_without((case["grade"] for case in cases), (step["grade"] for step in scale.grades) if scale else ())


def _shown(index: int, case: Case, scale: ScaleVersion | None) -> ShownCase:
    name = scale.name_of(case["grade"]) if scale else ""
    return ShownCase(index, case["topic"], case["document"], case["grade"], name, case["reason"])
