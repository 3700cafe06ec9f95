"""The grades that a person can give."""

from annotation.models import Participation, ScaleVersion, User

EVERY_GRADE = range(11)


def grades_of(person: User) -> list[int]:
    """Of the scales of all batches in which the person takes or took part; every grade where there is none yet."""
    mine = Participation.objects.filter(annotator__user=person)
    scales = ScaleVersion.objects.filter(pk__in=mine.values("batch__scale"))
    return sorted({step["grade"] for scale in scales for step in scale.grades}) or list(EVERY_GRADE)
