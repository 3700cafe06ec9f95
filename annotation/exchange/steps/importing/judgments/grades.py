"""Grades that the scale does not have: below it they mean "cannot judge", above it they are of a longer scale."""

from collections.abc import Mapping

from annotation.formats.outside import parse_grade_map
from annotation.formats.problems import Problems
from annotation.models import ScaleVersion

SHOWN = 5


def refuse_beyond(grade_map: str, *, scale: ScaleVersion, problems: Problems) -> None:
    """A map that makes a grade one above the scale is a mistake: for what nobody could judge there is `cannot`."""
    beyond = [f"{word}={worth}" for word, worth in parse_grade_map(grade_map).items() if worth > scale.top]
    if beyond:
        problems.add(0, f"the map says {', '.join(beyond[:SHOWN])}, and {_span(scale)}; who could not judge is cannot")


def note_beyond(tally: Mapping[int, int], *, scale: ScaleVersion, problems: Problems) -> None:
    """Grades above the scale count as "cannot judge"; whoever means something else has to say what they are worth."""
    beyond = [f"{grade} ({n:,})" for grade, n in sorted(tally.items()) if grade > scale.top]
    if beyond:
        why = f"{_span(scale)}. Say what they are worth here if they are grades"
        problems.note(0, f"above the scale, so taken as cannot judge: {', '.join(beyond[:SHOWN])}; {why}")


def _span(scale: ScaleVersion) -> str:
    return f"the scale here goes from {scale.bottom} to {scale.top}"
