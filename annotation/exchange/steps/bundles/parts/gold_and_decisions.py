"""What is known of pairs: gold events and adjudications, the earlier first."""

from collections.abc import Sequence

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import DOCUMENT, SCALE, TOPIC
from annotation.formats.bundle.quality_rows import AdjudicationRow
from annotation.formats.bundle.rows import GoldRow
from annotation.models import Adjudication, GoldEvent

_GRADES = {"decide": {(True, True), (True, False)}, "withdraw": {(False, False)}}  # has a grade, and a blind one


class GoldEvents(Part[GoldRow]):
    name, row, model = "gold", GoldRow, GoldEvent
    references = (TOPIC, DOCUMENT, SCALE)

    def fault(self, row: GoldRow) -> str:
        if (row.action == "set") != (row.grade is not None):
            return "gold that is set has a grade, gold that is withdrawn has none"
        return ""


class Adjudications(Part[AdjudicationRow]):
    """Who decided stays behind: here they are the decisions of the person who brings the bundle."""

    name, row, model = "adjudications", AdjudicationRow, Adjudication
    references = (TOPIC, DOCUMENT, SCALE)

    def fault(self, row: AdjudicationRow) -> str:
        if (row.grade is not None, row.blind_grade is not None) not in _GRADES[row.action]:
            return "a decision has a grade, one that is withdrawn has none"
        return ""

    def further_columns(self, _rows: Sequence[AdjudicationRow]) -> dict[str, object]:
        return {"created_by": self.transfer.actor}
