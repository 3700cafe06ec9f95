"""What judging goes by: versions of the scale and the guideline; policies."""

import json
from collections.abc import Mapping

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.formats.bundle.rows import GuidelineRow, PolicyRow, ScaleRow
from annotation.formats.identity import sha256_of
from annotation.models import FEWEST_GRADES, MOST_GRADES, GuidelineVersion, Policy, ScaleVersion
from annotation.quality.policy import Policy as Parameters
from annotation.quality.policy import PolicyError

OF_A_GRADE = {"grade": int, "name": str, "definition": str, "example": str}
OF_A_CASE = {"topic": str, "document": str, "grade": int, "reason": str}
OTHER_SHA = "its sha256 is not that of its content"


class ScaleVersions(Part[ScaleRow]):
    name, row, model = "scale_versions", ScaleRow, ScaleVersion

    def fault(self, row: ScaleRow) -> str:
        return _grades_fault(row) or identity_fault(row.sha256, {"grades": row.grades})


class GuidelineVersions(Part[GuidelineRow]):
    name, row, model = "guideline_versions", GuidelineRow, GuidelineVersion

    def fault(self, row: GuidelineRow) -> str:
        """Worked examples have what a page shows of them."""
        if any({name: type(value) for name, value in case.items()} != OF_A_CASE for case in row.cases):
            return f"cases: each has {', '.join(OF_A_CASE)}"
        text = {name: getattr(row, name) for name in ("introduction", "examples", "edge_cases")}
        return identity_fault(row.sha256, {**text, "cases": row.cases} if row.cases else text)


class Policies(Part[PolicyRow]):
    name, row, model = "policies", PolicyRow, Policy

    def fault(self, row: PolicyRow) -> str:
        try:
            parameters = Parameters.from_json(json.dumps(row.parameters))
        except PolicyError as error:
            return f"parameters: {error}"
        return "" if parameters.sha256 == row.sha256 else OTHER_SHA


def identity_fault(sha: str, content: Mapping[str, object]) -> str:
    """Why the hash is not that of the content; empty where it is."""
    try:
        own = sha256_of(content)  # type: ignore[arg-type]  # what is no identity is refused
    except TypeError as error:
        return str(error)
    return "" if sha == own else OTHER_SHA


def _grades_fault(row: ScaleRow) -> str:
    """Grades count from 0 without a gap, and have what a page shows of them."""
    shapes = [{name: type(value) for name, value in grade.items()} for grade in row.grades]
    if any(shape != OF_A_GRADE for shape in shapes):
        return f"grades: each has {', '.join(OF_A_GRADE)}"
    is_counted = [grade["grade"] for grade in row.grades] == [*range(len(row.grades))]
    if not is_counted or not FEWEST_GRADES <= len(row.grades) <= MOST_GRADES:
        return f"grades: {FEWEST_GRADES} to {MOST_GRADES} of them, counted from 0"
    return ""
