"""Whether the grades of gold that comes as it is look like those of the scale, and of what is here already."""

from collections.abc import Iterable, Iterator

from annotation.formats.fields import whole_number
from annotation.formats.gold import GoldRow
from annotation.formats.outside import parse_grade_map
from annotation.formats.problems import Problems
from annotation.gold.read.current import current_gold
from annotation.gold.read.maps import gold_maps
from annotation.models import Collection, Import

LEAST = 10  # rows, below which the highest grade says nothing of the scale


def note_misfit(collection: Collection, rows: Iterable[GoldRow], problems: Problems) -> None:
    """Note what speaks for another scale in the file. It is taken as it is: only a person knows."""
    found = list(rows)
    for words in (*_mapped_before(collection, found), *_short_of_the_top(collection, [row.grade for row in found])):
        problems.note(0, words)


def _mapped_before(collection: Collection, rows: list[GoldRow]) -> Iterator[str]:
    """Grades that earlier files of gold had mapped to others."""
    given = {str(grade) for row in rows for grade in (row.grade, *(row.accepted or ()))}
    for name, text in gold_maps(collection):
        other = {word for word, grade in parse_grade_map(text).items() if whole_number(word) not in (None, grade)}
        if both := sorted(other & given):
            were = "was" if len(both) == 1 else "were"
            yield (
                f"grades are taken as is, though in {name} {', '.join(both)} {were} mapped ({text}): if this file "
                "counts in the same way, say so in the map of grades"
            )


def _short_of_the_top(collection: Collection, grades: list[int]) -> Iterator[str]:
    scale = collection.scale
    if scale is None or len(grades) < LEAST or max(grades) >= scale.top:
        return
    here = _reached(collection)
    beside = f", and what is here reaches {here}" if here > max(grades) else ""
    yield (
        f"the highest grade of this file is {max(grades)}, the scale ends at {scale.top}{beside}: if the file counts "
        "on another scale, say in the map of grades what its grades are worth"
    )


def _reached(collection: Collection) -> int:
    """The highest grade of gold, and of qrels that were imported."""
    gold = current_gold(collection).order_by("-grade").values_list("grade", flat=True).first()
    qrels = Import.objects.filter(collection=collection, kind=Import.Kind.QRELS, state=Import.State.PUBLISHED)
    told = [int(found or 0) for found in qrels.values_list("preview__facts__highest", flat=True)]
    return max([gold or 0, *told])
