"""What judging goes by: versions of the scale and the guideline; policies."""

import json
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles.part import TablePart, create
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.rows import GuidelineRow, PolicyRow, ScaleRow
from annotation.formats.identity import sha256_of
from annotation.models import FEWEST_GRADES, MOST_GRADES, Collection, GuidelineVersion, Policy, ScaleVersion
from annotation.quality.policy import Policy as Parameters
from annotation.quality.policy import PolicyError

OF_A_GRADE = {"grade": int, "name": str, "definition": str, "example": str}
OF_A_CASE = {"topic": str, "document": str, "grade": int, "reason": str}


class ScaleVersions(TablePart[ScaleRow]):
    name, row = "scale_versions", ScaleRow

    def rows(self) -> Iterator[ScaleRow]:
        for values in paged(self.stored(self.collection), "number", "sha256", "grades", "created_at"):
            yield ScaleRow(*values)

    def store(self, rows: Sequence[ScaleRow]) -> None:
        for place, row in enumerate(rows):
            _check_grades(place, row)
            check_identity(place, row.sha256, {"grades": row.grades})
        create(ScaleVersion, rows, self.row.__dataclass_fields__, collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[ScaleVersion]":
        return ScaleVersion.objects.filter(collection=collection)


class GuidelineVersions(TablePart[GuidelineRow]):
    name, row = "guideline_versions", GuidelineRow

    def rows(self) -> Iterator[GuidelineRow]:
        columns = ("number", "sha256", "introduction", "examples", "cases", "edge_cases", "created_at")
        for values in paged(self.stored(self.collection), *columns):
            yield GuidelineRow(*values)

    def store(self, rows: Sequence[GuidelineRow]) -> None:
        for place, row in enumerate(rows):
            _check_cases(place, row)
            text = {name: getattr(row, name) for name in ("introduction", "examples", "edge_cases")}
            check_identity(place, row.sha256, {**text, "cases": row.cases} if row.cases else text)
        create(GuidelineVersion, rows, self.row.__dataclass_fields__, collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[GuidelineVersion]":
        return GuidelineVersion.objects.filter(collection=collection)


class Policies(TablePart[PolicyRow]):
    name, row = "policies", PolicyRow

    def rows(self) -> Iterator[PolicyRow]:
        for values in paged(self.stored(self.collection), "name", "version", "sha256", "parameters", "created_at"):
            yield PolicyRow(*values)

    def store(self, rows: Sequence[PolicyRow]) -> None:
        for place, row in enumerate(rows):
            try:
                parameters = Parameters.from_json(json.dumps(row.parameters))
            except PolicyError as fault:
                raise RowRefused(place, f"parameters: {fault}") from fault
            if parameters.sha256 != row.sha256:
                raise RowRefused(place, OTHER_SHA)
        create(Policy, rows, self.row.__dataclass_fields__, collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Policy]":
        return Policy.objects.filter(collection=collection)


OTHER_SHA = "its sha256 is not that of its content"


def check_identity(place: int, sha: str, content: Mapping[str, object]) -> None:
    """Raise `RowRefused` unless the hash is that of the content."""
    try:
        known = sha256_of(content)  # type: ignore[arg-type]  # what is no identity is refused
    except TypeError as fault:
        raise RowRefused(place, str(fault)) from fault
    if sha != known:
        raise RowRefused(place, OTHER_SHA)


def _check_cases(place: int, row: GuidelineRow) -> None:
    """Worked examples have what a page shows of them."""
    if any({name: type(value) for name, value in case.items()} != OF_A_CASE for case in row.cases):
        raise RowRefused(place, f"cases: each has {', '.join(OF_A_CASE)}")


def _check_grades(place: int, row: ScaleRow) -> None:
    """Grades count from 0 without a gap, and have what a page shows of them."""
    shapes = [{name: type(value) for name, value in grade.items()} for grade in row.grades]
    if any(shape != OF_A_GRADE for shape in shapes):
        raise RowRefused(place, f"grades: each has {', '.join(OF_A_GRADE)}")
    counted = [grade["grade"] for grade in row.grades] == [*range(len(row.grades))]
    if not counted or not FEWEST_GRADES <= len(row.grades) <= MOST_GRADES:
        raise RowRefused(place, f"grades: {FEWEST_GRADES} to {MOST_GRADES} of them, counted from 0")
