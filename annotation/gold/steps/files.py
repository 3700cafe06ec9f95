"""Gold from a file: its rows as entries, and whether its grades look like those of the scale."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from annotation.corpus.read.pairs import found_pairs
from annotation.corpus.steps.pooling import report_unknown, rows_here
from annotation.formats.fields import whole_number
from annotation.formats.gold import GoldRow, read_gold
from annotation.formats.grade_map import GradeMap, parse_grade_map
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.gold.read.current import current_gold
from annotation.gold.steps.corrections import refuse_corrections
from annotation.gold.steps.events import GoldEntry, GoldTaken, append_gold, scale_of
from annotation.kernel.visible import visible_batches
from annotation.models import Collection, Import, ScaleVersion, User

MOST_AT_ONCE = 100_000  # pairs: about a second in which nobody's judgment is stored on SQLite
LEAST_ROWS = 10  # below which the highest grade says nothing of the scale


def take_gold_from_file(
    collection: Collection,
    *,
    stream: BinaryIO,
    filename: str,
    actor: User | None,
    correct: bool,
    grades: str = "",
    skip_unknown: bool = False,
) -> GoldTaken:
    """All pairs of the file, or none. Without `correct`, pairs that would be corrected are a problem.

    `grades`: what those of the file are worth, see `parse_grade_map`. Raises `FormatError` for grades that the scale
    does not have, and for unknown pairs, unless they are to be left aside.
    """
    problems = Problems(filename)
    rows = list(read_gold(stream, problems, grades=GradeMap(parse_grade_map(grades))))
    if not grades:
        refuse_unmapped(collection, rows, problems)
        note_misfit(collection, rows, problems)
    entries = gold_entries(collection, rows, problems, skip_unknown=skip_unknown)
    if not correct:
        refuse_corrections(collection, entries, problems)
    taken = append_gold(collection, entries, source=filename, actor=actor)
    return replace(taken, notes=notes_of(problems))


def gold_entries(
    collection: Collection, rows: Sequence[GoldRow], problems: Problems, *, skip_unknown: bool = False
) -> list[GoldEntry]:
    """The pairs of a file as they are to be gold. Raises as `take_gold_from_file` does."""
    refuse_too_many(len(rows), problems)
    ids = found_pairs(collection, ((row.number, row.docno) for row in rows))
    pairs = [PairRow(row.number, row.docno, row.line) for row in rows]
    report_unknown(pairs, ids.topics.keys(), ids.documents.keys(), problems, skip=skip_unknown)
    rows = rows_here(rows, ids, problems) if skip_unknown else rows
    report_grades(rows, scale_of(collection), problems)
    problems.check()
    return [
        GoldEntry(
            (ids.topics[row.number], ids.documents[row.docno]), row.grade, row.reason, row.explanation, row.accepted
        )
        for row in rows
    ]


def refuse_unmapped(collection: Collection, rows: Iterable[GoldRow], problems: Problems) -> None:
    """Ask for a map of grades where judgments with the same grades had one that changed them."""
    grades = [(row.line, grade) for row in rows for grade in (row.grade, *(row.accepted or ()))]
    imported = visible_batches(collection).filter(brought_by__kind=Import.Kind.JUDGMENTS).order_by("pk")
    for name, text in imported.values_list("name", "brought_by__options__grades"):
        if not text:
            continue
        changed = _changed_by(text)
        line, grade = next(((line, grade) for line, grade in grades if str(grade) in changed), (0, None))
        if grade is not None:
            problems.add(
                line,
                f"the grade {grade} was mapped in the judgments of {name} ({text}): say what the grades of this "
                f"file are worth, in the same way, or as {grade}={grade} where they are of the scale already",
            )


def note_misfit(collection: Collection, rows: Iterable[GoldRow], problems: Problems) -> None:
    """Note what speaks for another scale in the file. It is taken as it is: only a person knows."""
    rows = list(rows)
    for note in (*_mapped_before(collection, rows), *_short_of_the_top(collection, [row.grade for row in rows])):
        problems.note(0, note)


def refuse_too_many(n: int, problems: Problems) -> None:
    if n > MOST_AT_ONCE:
        raise problems.stop(0, f"{n} pairs of gold, at most {MOST_AT_ONCE} are taken at once")


def report_grades(rows: Iterable[GoldRow], scale: ScaleVersion, problems: Problems) -> None:
    """Add a problem for each row with a grade that the scale does not have."""
    grades = range(scale.bottom, scale.top + 1)
    for row in rows:
        beyond = [str(grade) for grade in row.accepted or () if grade not in grades]
        if row.grade not in grades:
            problems.add(row.line, f"the scale has no grade {row.grade} ({scale.bottom} to {scale.top})")
        elif beyond:
            reason = f"grade {', '.join(beyond)}, which would be accepted ({scale.bottom} to {scale.top})"
            problems.add(row.line, f"the scale has no {reason}")


def notes_of(problems: Problems) -> tuple[str, ...]:
    return tuple(note.reason for note in problems.notes)


def _changed_by(text: str) -> set[str]:
    """The grades that a map of grades takes for others."""
    return {word for word, grade in parse_grade_map(text).items() if whole_number(word) not in (None, grade)}


def _mapped_before(collection: Collection, rows: list[GoldRow]) -> Iterator[str]:
    """Grades that earlier files of gold had mapped to others."""
    grades = {str(grade) for row in rows for grade in (row.grade, *(row.accepted or ()))}
    files = Import.objects.filter(collection=collection, kind=Import.Kind.GOLD, state=Import.State.PUBLISHED)
    for name, text in files.order_by("pk").values_list("filename", "options__grades"):
        if mapped := sorted(_changed_by(text or "") & grades):
            were = "was" if len(mapped) == 1 else "were"
            yield (
                f"grades are taken as is, though in {name} {', '.join(mapped)} {were} mapped ({text}): if this file "
                "counts in the same way, say so in the map of grades"
            )


def _short_of_the_top(collection: Collection, grades: list[int]) -> Iterator[str]:
    scale = collection.scale
    if scale is None or len(grades) < LEAST_ROWS or max(grades) >= scale.top:
        return
    highest = _highest_grade_here(collection)
    beside = f", and what is here reaches {highest}" if highest > max(grades) else ""
    yield (
        f"the highest grade of this file is {max(grades)}, the scale ends at {scale.top}{beside}: if the file counts "
        "on another scale, say in the map of grades what its grades are worth"
    )


def _highest_grade_here(collection: Collection) -> int:
    """The highest grade of gold, and of qrels that were imported."""
    gold = current_gold(collection).order_by("-grade").values_list("grade", flat=True).first()
    qrels = Import.objects.filter(collection=collection, kind=Import.Kind.QRELS, state=Import.State.PUBLISHED)
    return max([gold or 0, *(int(grade or 0) for grade in qrels.values_list("preview__facts__highest", flat=True))])
