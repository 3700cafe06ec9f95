"""What the page of the next pairs shows of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.kernel.plots.axis import px
from annotation.text.counted import with_sign
from evaluation.engine.judge_next import JudgeNext, NextPair

WIDTH = 120.0  # of the bar of the pair that changes most


@dataclass(frozen=True)
class NextRow:
    """`bar` is its width, `ranks` by run as they are read, `at_grades` what the difference of two runs becomes."""

    pair: NextPair
    ranks: Sequence[tuple[str, str]]
    bar: str
    at_grades: Sequence[str]


def next_rows(ranked: JudgeNext) -> list[NextRow]:
    most = max((pair.expected for pair in ranked.pairs), default=0.0) or 1.0
    return [
        NextRow(
            pair,
            [(tag, "–" if rank is None else str(rank)) for tag, rank in zip(ranked.tags, pair.ranks, strict=True)],
            px(max(1.0, WIDTH * pair.expected / most)),
            [with_sign(change, ".5f") for change in pair.changes],
        )
        for pair in ranked.pairs
    ]
