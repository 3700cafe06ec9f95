"""Small inputs for the tests of this room, written the way one would say them."""

from collections.abc import Iterable, Mapping

from annotation.quality.adjudications import adjudications
from annotation.quality.gold import Gold, gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.machines.split import Machines, parted
from annotation.quality.pairs import laid_pairs
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable, judgment_table

Judgment = tuple[str, str, str, int]  # topic number, docno, annotator, grade
Graded = Mapping[tuple[str, str], int]


def table_of(judgments: Iterable[Judgment], **columns: object) -> JudgmentTable:
    """A table of judgments in the order they were saved; further columns by name."""
    rows = list(judgments)
    return judgment_table(
        number=[row[0] for row in rows],
        docno=[row[1] for row in rows],
        annotator=[row[2] for row in rows],
        grade=[row[3] for row in rows],
        **columns,  # type: ignore[arg-type]
    )


def inputs_of(
    table: JudgmentTable,
    *,
    gold: Graded | None = None,
    decided: Graded | None = None,
    excluded: Iterable[str] = (),
    laid: Iterable[tuple[str, str]] | None = None,
    scale: Scale | None = None,
    machines: Iterable[str] = (),
) -> Inputs:
    """Inputs by external ids and pseudonyms."""
    scale = scale or Scale()
    table, others = parted(table, set(machines))
    known, settled = dict(gold or {}), dict(decided or {})
    pairs = None if laid is None else list(laid)
    return Inputs(
        table=table,
        scale=scale,
        gold=gold_pairs(
            table, number=[n for n, _ in known], docno=[d for _, d in known], grade=list(known.values()), scale=scale
        ),
        adjudications=adjudications(
            table, number=[n for n, _ in settled], docno=[d for _, d in settled], grade=list(settled.values())
        ),
        excluded=_codes(table, excluded),
        laid=None if pairs is None else laid_pairs(table, [n for n, _ in pairs], [d for _, d in pairs]),
        machines=None if others is None else Machines(others, _codes(others, excluded)),
    )


def no_gold(scale: Scale) -> Gold:
    """Nothing is known."""
    return gold_pairs(table_of([]), number=[], docno=[], grade=[], scale=scale)


def _codes(table: JudgmentTable, names: Iterable[str]) -> frozenset[int]:
    return frozenset(table.annotators.index(name) for name in names if name in table.annotators)


def on_gold(annotator: str, right: int, wrong: int) -> list[Judgment]:
    """Judgments of one person on the gold pairs of `GOLD`: first the right ones, then the wrong ones."""
    return [("g", f"G{i:02}", annotator, 1 if i < right else 4) for i in range(right + wrong)]


GOLD: Graded = {("g", f"G{i:02}"): 1 for i in range(40)}
