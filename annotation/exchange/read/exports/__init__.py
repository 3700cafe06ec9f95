"""What leaves: judgments row by row, the qrels of a snapshot in every form, texts beside them."""

from annotation.exchange.read.exports.gold import outgoing_gold
from annotation.exchange.read.exports.judgments import JUDGMENT_FORMS, judgment_rows, outgoing_judgments
from annotation.exchange.read.exports.qrels import QRELS_FORMS, outgoing_qrels
from annotation.kernel.outgoing import Outgoing

__all__ = [
    "JUDGMENT_FORMS",
    "QRELS_FORMS",
    "Outgoing",
    "judgment_rows",
    "outgoing_gold",
    "outgoing_judgments",
    "outgoing_qrels",
]
