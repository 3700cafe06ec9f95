"""What leaves: judgments row by row, the qrels of a snapshot in every format, texts beside them."""

from annotation.exchange.read.exports.dropped import outgoing_dropped
from annotation.exchange.read.exports.gold import outgoing_gold
from annotation.exchange.read.exports.judgments import JUDGMENT_FORMATS, outgoing_judgments
from annotation.exchange.read.exports.qrels import QRELS_FORMATS, outgoing_qrels
from annotation.kernel.files import Outgoing

__all__ = [
    "JUDGMENT_FORMATS",
    "QRELS_FORMATS",
    "Outgoing",
    "outgoing_dropped",
    "outgoing_gold",
    "outgoing_judgments",
    "outgoing_qrels",
]
