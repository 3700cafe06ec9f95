"""What leaves: judgments row by row, the qrels of a snapshot in every form, texts beside them."""

from annotation.queries.exports.gold import outgoing_gold
from annotation.queries.exports.judgments import JUDGMENT_FORMS, judgment_rows, outgoing_judgments
from annotation.queries.exports.outgoing import Outgoing
from annotation.queries.exports.qrels import QRELS_FORMS, outgoing_qrels

__all__ = [
    "JUDGMENT_FORMS",
    "QRELS_FORMS",
    "Outgoing",
    "judgment_rows",
    "outgoing_gold",
    "outgoing_judgments",
    "outgoing_qrels",
]
