"""The crowds of ../shared/data/crowd as inputs of a policy."""

import csv
import gzip
from pathlib import Path

from annotation.quality.adjudications import no_adjudications
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from annotation.quality.table import judgment_table

Row = tuple[str, str, str, int]  # topic number, docno, annotator, grade


def trec_rf10(shared_data: Path) -> Inputs:
    """Broken links ("−2") taken out first, as `reference_agreement.tsv` says of its figures on 0..2."""
    rows, known = _rf10(shared_data)
    kept = [row for row in rows if row[3] >= 0]
    return _inputs(kept, {pair: grade for pair, grade in known.items() if grade >= 0}, Scale((0, 1, 2)))


def trec_rf10_with_broken_links(shared_data: Path) -> Inputs:
    """Broken links as the lowest grade, all others one higher: 0, 1, 2, 3 stand for −2, 0, 1, 2."""
    rows, known = _rf10(shared_data)
    moved = [(number, docno, who, max(grade + 1, 0)) for number, docno, who, grade in rows]
    return _inputs(moved, {pair: max(grade + 1, 0) for pair, grade in known.items()}, Scale((0, 1, 2, 3)))


def snow_rte(shared_data: Path) -> Inputs:
    """It has no topics; the last digit of the item's number stands for one, so that there are ten."""
    folder = shared_data / "crowd" / "snow-rte"
    rows = [(item[-1], item, a, int(g)) for item, a, g in _lines(folder / "judgments.tsv")]
    known = {(item[-1], item): int(g) for item, g in _lines(folder / "gold.tsv")}
    return _inputs(rows, known, Scale((0, 1)))


def everybody(consolidation: str) -> Policy:
    """Believes all, drops nothing: what remains is the rule."""
    return Policy(
        accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None, consolidation=consolidation
    )


def _rf10(shared_data: Path) -> tuple[list[Row], dict[tuple[str, str], int]]:
    folder = shared_data / "crowd" / "trec-rf10"
    with gzip.open(folder / "judgments.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [(n, d, a, int(g)) for n, d, a, g in list(csv.reader(file, delimiter="\t"))[1:]]
    return rows, {(n, d): int(g) for n, d, g in _lines(folder / "gold.tsv")}


def _inputs(rows: list[Row], known: dict[tuple[str, str], int], scale: Scale) -> Inputs:
    number, docno, annotator, grade = zip(*rows, strict=True)
    table = judgment_table(number=number, docno=docno, annotator=annotator, grade=grade)
    pairs = list(known)
    gold = gold_pairs(
        table, number=[n for n, _ in pairs], docno=[d for _, d in pairs], grade=list(known.values()), scale=scale
    )
    return Inputs(table=table, scale=scale, gold=gold, adjudications=no_adjudications())


def _lines(file: Path) -> list[list[str]]:
    return [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:]]
