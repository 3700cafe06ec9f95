"""The table of annotators as lines that leave."""

from collections.abc import Sequence

from annotation.formats.annotators import AnnotatorLine
from annotation.trust.pages.people import PersonRow


def annotator_lines(people: Sequence[PersonRow]) -> list[AnnotatorLine]:
    """By pseudonym."""
    return [_line(person) for person in sorted(people, key=lambda person: person.pseudonym)]


def _line(person: PersonRow) -> AnnotatorLine:
    told = person.telling
    known, varied = bool(person.n_gold), told.commonest.defined
    return AnnotatorLine(
        annotator=person.pseudonym,
        standing=person.standing,
        excluded=person.exclusion is not None,
        paused=person.is_paused,
        believed=person.believed,
        judged=person.n_judged,
        gold=person.n_gold,
        accuracy=person.accuracy,
        accuracy_low=person.low if known else None,
        accuracy_high=person.high if known else None,
        within_one=told.within_one.value,
        leniency=told.leniency.value,
        agreement_with_others=told.with_others.value,
        agreement_among_others=told.among_others.value,
        commonest_grade=told.commonest_grade if varied else None,
        commonest_share=told.commonest.value,
        longest_run=None if told.longest.value is None else int(told.longest.value),
        near_copies=told.n_alike,
        checks=person.n_checks,
        checks_passed=person.n_passed,
        repeats=person.n_repeats,
        repeats_same=person.n_same,
        active_seconds=person.active_s,
        wall_seconds=person.wall_s,
        early=person.early,
        watch=person.watch.state,
        watch_after=person.watch.after,
        critical_errors=person.watch.n_critical,
    )
