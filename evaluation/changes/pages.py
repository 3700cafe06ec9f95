"""What changed between two snapshots, in words, as a table for the eye, as CSV and as JSON."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from annotation.text.counted import counted
from evaluation.accounting.pages import MeasureView, measure_views, overall
from evaluation.changes.read import SnapshotChanges, changed_lines
from evaluation.formats.accounting import as_object
from evaluation.formats.values import aligned, csv_text

COLUMNS = ("topic", "docno", "before", "after", "reason")
NOT_IN = "–"


def conclusion(changes: SnapshotChanges) -> list[str]:
    """Pairs first, then what they do to runs."""
    pairs, before, after = changes.pairs, changes.before.name, changes.after.name
    if not pairs.changes:
        sentence = f"{before} and {after} have the same {counted(pairs.n_same, 'pair')}, with the same grades."
    else:
        sentence = (
            f"From {before} to {after}: {counted(pairs.n_added, 'pair')} came, {pairs.n_removed} went, "
            f"{pairs.n_regraded} with another grade, {pairs.n_same} unchanged."
        )
    changed = [origin.what for origin in changes.origins if not origin.is_same]
    origins = f"What differs in what they were made from: {', '.join(changed)}." if changed else ""
    if changes.effect is None:
        return [sentence, *filter(None, [origins]), "No run is evaluated against both with the same measures."]
    over = f"Runs are set beside each other over the {counted(changes.effect.n_topics, 'topic')} of both."
    return [sentence, *filter(None, [origins]), f"{over} {overall(views_of(changes))}"]


def views_of(changes: SnapshotChanges) -> list[MeasureView]:
    return measure_views(changes.effect, against_first=True) if changes.effect else []


def grade_rows(changes: SnapshotChanges) -> list[tuple[str, str, int]]:
    """How many pairs went from which grade to which; a dash stands for a snapshot that lacks them."""
    return [(_grade(before), _grade(after), n) for before, after, n in changes.pairs.by_grades]


def as_table(changes: SnapshotChanges) -> str:
    """The conclusion, what differs in the origins, pairs by grades, then a block a measure."""
    blocks = ["\n".join(conclusion(changes))]
    origins = [[each.what, each.before, each.after] for each in changes.origins if not each.is_same]
    if origins:
        blocks.append("\n".join(aligned([["made from", changes.before.name, changes.after.name], *origins], n_names=3)))
    rows = [[*row[:2], str(row[2])] for row in grade_rows(changes)]
    if rows:
        blocks.append("\n".join(aligned([["before", "after", "pairs"], *rows], n_names=0)))
    blocks += ["\n".join(_block(view)) for view in views_of(changes)]
    return "\n\n".join(blocks) + "\n"


def as_csv(changes: SnapshotChanges) -> str:
    """A row a pair that changed; an empty cell where a snapshot lacks it."""
    return csv_text(COLUMNS, changed_lines(changes))


def as_json(changes: SnapshotChanges) -> str:
    return json.dumps(object_of(changes), ensure_ascii=False, indent=2) + "\n"


FORMS: Mapping[str, Callable[[SnapshotChanges], str]] = {"csv": as_csv, "json": as_json}


def object_of(changes: SnapshotChanges) -> dict[str, Any]:
    """All of it."""
    pairs = changes.pairs
    counts = {name: getattr(pairs, f"n_{name}") for name in ("added", "removed", "regraded", "same")}
    return {
        "before": changes.before.name,
        "after": changes.after.name,
        "conclusion": conclusion(changes),
        "origins": [{"what": each.what, "before": each.before, "after": each.after} for each in changes.origins],
        "pairs": counts,
        "changes": [dict(zip(COLUMNS, line, strict=True)) for line in changed_lines(changes)],
        "runs": as_object(changes.effect) if changes.effect else None,
    }


def _grade(grade: int | None) -> str:
    return NOT_IN if grade is None else str(grade)


def _block(view: MeasureView) -> Iterator[str]:
    head = [view.measure, *view.cases]
    rows = [[row.tag, *(f"{value.mean:.4f} ({value.place})" for value in row.values)] for row in view.rows]
    yield from aligned([head, *rows], n_names=1)
    yield view.conclusion
