"""How often people are right on gold, as a drawing with its words."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.kernel.plots.intervals import Estimate, IntervalPlot, share_plot
from annotation.text.counted import counted, percent
from annotation.trust.pages.people import PersonRow
from annotation.trust.pages.people_columns import sorted_people

MOST_PLOTTED = 40


@dataclass(frozen=True)
class AccuracyPlot:
    """`drawn`: None where nobody has judged gold."""

    drawn: IntervalPlot | None
    words: str


def accuracy_plot(people: Sequence[PersonRow], threshold: float) -> AccuracyPlot:
    """The surely low first, and these only where there are many people. Whoever is clearly below the threshold stands
    out; 0 asks nothing of people."""
    judged = [person for person in sorted_people(people, "doubt") if person.n_gold]
    rows = [_estimate(person, threshold) for person in judged[:MOST_PLOTTED]]
    words = _words(len(judged), threshold, any_below=any(row.is_marked for row in rows))
    return AccuracyPlot(share_plot(rows, threshold or None) if rows else None, words)


def _estimate(person: PersonRow, threshold: float) -> Estimate:
    interval = f"{percent(person.low)} to {percent(person.high)}"
    right = f"{percent(person.accuracy or 0)} ({interval}) of {counted(person.n_gold, 'gold pair')}"
    text = f"{person.pseudonym}: {right}, {person.verdict.word}"
    is_below = person.high < threshold
    return Estimate(person.pseudonym, person.accuracy or 0.0, person.low, person.high, text, is_marked=is_below)


def _words(n_known: int, threshold: float, *, any_below: bool) -> str:
    many = f"the {MOST_PLOTTED} of {n_known} whose" if n_known > MOST_PLOTTED else "on top whose"
    who = f"{many} interval ends lowest: those of whom low accuracy is surest"
    dashed = f" Dashed: {percent(threshold)}, from which on somebody is reliable." if threshold else ""
    bold = " In bold: who is clearly below." if any_below else ""
    return f"Percent right on gold with its Wilson interval, {who}.{dashed}{bold}"
