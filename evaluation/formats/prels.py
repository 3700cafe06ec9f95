"""Judgments of a sample of the pool, in either of two layouts of five columns, which only the caller can tell apart.

With probabilities, as the million query track's prels: `topic docno grade method probability`. The
method is 0 or 2 for documents that were not left to chance: they count with probability 1, as in
the track's statAP script. A probability is from 1e-09 to 1, or `NA`; such rows, and those of a
negative grade (not judged), are left aside, and a note says how many.

Stratified, as sample_eval.pl reads: `topic iteration docno stratum grade`, the whole pool, with a
negative grade where a document was not sampled. The iteration is ignored.

Otherwise as qrels: ASCII white space between fields, plain or gzip, lines that start with `#` and
blank lines skipped, no pair twice.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from annotation.formats.columns import Layout, read_blocks, read_carefully
from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems
from evaluation.engine.sampled.prels import LEAST_PROBABILITY, MOST_STRATA, Prels

PROBABILITIES = Layout(
    names=("topic", "docno", "grade", "method", "probability"),
    keep={0: "id", 1: "id", 2: "grade", 3: "grade", 4: "id"},
    comments=True,
)
STRATA = Layout(
    names=("topic", "iteration", "docno", "stratum", "grade"),
    keep={0: "id", 2: "id", 3: "id", 4: "grade"},
    comments=True,
)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?\Z", re.ASCII)
CERTAIN = (0, 2)  # methods that chose their documents without chance
_NOTES = {
    "unknown": "left aside: no inclusion probability (NA)",
    "unjudged": "left aside: not judged (a negative grade)",
    "certain": "of method 0 or 2 counted with probability 1: their documents were not left to chance",
}


def parse_prels(stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS) -> Prels:
    """Read prels with probabilities; raises `FormatError` with every fault (file, line, reason) and for no pair."""
    numbers, docnos, grades, chances = list[str](), list[str](), list[int](), list[float]()
    noted = Counter[str]()
    for line, (number, docno, grade, method, probability) in _rows(stream, PROBABILITIES, problems, limits):
        chance = _chance(probability, line, problems)
        if chance is None or _whole(grade) < 0:
            noted["unknown" if chance is None else "unjudged"] += 1
            continue
        certain = _whole(method) in CERTAIN
        noted["certain"] += certain and chance < 1
        numbers.append(number)
        docnos.append(docno)
        grades.append(_whole(grade))
        chances.append(1.0 if certain else chance)
    _check(problems, numbers)
    for what, count in sorted(noted.items()):
        if count:
            problems.note(0, f"{count} {'row' if count == 1 else 'rows'} {_NOTES[what]}")
    return Prels.with_probabilities(numbers, docnos, grades, chances)


def parse_stratified(stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS) -> Prels:
    """Read stratified judgments; raises `FormatError` with every fault (file, line, reason) and for no pair."""
    numbers, docnos, strata, grades = list[str](), list[str](), list[str](), list[int]()
    strata_of_topic = defaultdict[str, set[str]](set)
    for line, (number, _, docno, stratum, grade) in _rows(stream, STRATA, problems, limits):
        strata_of_topic[number].add(stratum)
        if len(strata_of_topic[number]) > MOST_STRATA:
            problems.add(line, f"more than {MOST_STRATA} strata for topic {shown(number)}: {shown(stratum)} is new")
            strata_of_topic[number].remove(stratum)
        numbers.append(number)
        docnos.append(docno)
        strata.append(stratum)
        grades.append(_whole(grade))
    _check(problems, numbers)
    return Prels.stratified(numbers, docnos, strata, grades)


def stratified_text(rows: Sequence[tuple[str, str, str, int]], *, missing: int) -> str:
    """A sample as `parse_stratified` reads it, a line a pair of the pool, −1 where it is not in the sample; `missing`
    pairs of the sample have no grade, which a comment in front says."""
    lines = [f"{number} 0 {docno} {stratum} {grade}" for number, docno, stratum, grade in rows]
    if missing:
        lines.insert(0, f"# {missing} pairs of the sample are not judged here, and count as if they had not been drawn")
    return "\n".join([*lines, ""])


def _rows(stream: BinaryIO, layout: Layout, problems: Problems, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """`(line, fields)` of each row without a fault; a pair that was there before is one, and names both lines."""
    first, docno_at = dict[tuple[str, str], int](), layout.names.index("docno")
    for block in read_blocks(stream, problems, limits=limits):
        for line, row in read_carefully(block, layout, problems):
            number, docno = row[0], row[docno_at]
            before = first.setdefault((number, docno), line)
            if before != line:
                where = f"for topic {shown(number)} in line {before}"
                problems.add(line, f"document {shown(docno)} is already there {where}")
            yield line, row


def _chance(text: str, line: int, problems: Problems) -> float | None:
    """The inclusion probability, None for NA; a fault counts as 1 and is reported."""
    if text == "NA":
        return None
    if not _DECIMAL.match(text) or not LEAST_PROBABILITY <= float(text) <= 1:
        problems.add(line, f"the probability {shown(text)} is not from {LEAST_PROBABILITY} to 1, nor NA")
        return 1.0
    return float(text)


def _whole(text: str) -> int:
    return int(float(text))  # exact in range; int alone refuses 4,301 zeros


def _check(problems: Problems, numbers: list[str]) -> None:
    if not numbers and not problems:
        problems.add(0, "no judged pair in the file")
    problems.check()
