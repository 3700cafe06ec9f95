"""What waits for a decision, and how those who decide have decided, as lines that leave."""

from collections.abc import Sequence

from annotation.formats.standing_tables import ContestedLine, MindLine, WaitingLine
from annotation.quality.wilson import Share
from annotation.review.read.adjudication.decisions import Figures
from annotation.review.read.adjudication.queue import WaitingPairs

CONTESTED_TABLES = {"waiting": WaitingLine, "minds": MindLine}


def waiting_lines(waiting: WaitingPairs) -> Sequence[ContestedLine]:
    return [WaitingLine(row.number, row.docno, "; ".join(row.why), row.n_people, row.holder) for row in waiting[:]]


def mind_lines(figures: Figures) -> Sequence[ContestedLine]:
    return [_mind(words, share) for words, share in figures.shares]


def _mind(words: str, share: Share) -> MindLine:
    low, high = share.ends
    return MindLine(words, share.value, low, high, share.n)
