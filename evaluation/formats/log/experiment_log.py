"""A log of an experiment looked at as a whole: which columns name variants and units, which hold numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.formats.fields import shown
from annotation.formats.problems import FormatError, Problems
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.log.columns import Block, Column
from evaluation.formats.log.reading import Log, open_log
from evaluation.formats.log.units import read_units

if TYPE_CHECKING:
    import polars

VARIANT = ("variant", "arm", "group", "bucket", "treatment", "variation", "experiment_group")
HEAD, SHOWN = 1000, 5
MOST_NUMBERS = 100


@dataclass(frozen=True)
class ExperimentLog:
    """`n` units by variant; `numbers` are columns whose every value is a finite number, `texts` all others but those of
    variants and units; `rows` the first, as text."""

    form: str
    variant: str
    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    n: dict[str, int]
    names: tuple[str, ...]
    rows: list[list[str]]


def read_experiment(
    path: Path,
    problems: Problems,
    *,
    variant: str = "",
    unit: str = "",
    numbers: Sequence[str] = (),
    watch: Callable[[int], None] = lambda _rows: None,
) -> ExperimentLog:
    """All of the log is read and checked. `variant`: its column, else the first that is called so; `numbers`: those of
    numbers, else all whose first thousand values are numbers. Columns of objects and lists are left out.

    Raises `FormatError` for what is malformed, for a log without a column of variants or of numbers, and where a
    column of numbers has something else in any row; `OSError` as `open` does.
    """
    log = open_log(path, problems)
    for name in (*filter(None, (variant, unit)), *numbers):
        if name not in log.names:
            raise problems.stop(1, f"there is no column {shown(name)}; there are {', '.join(log.names[:20])}")
    arm = variant or next((name for name in log.names if name.lower() in VARIANT), "")
    if not arm:
        there = ", ".join(map(shown, log.names[:20]))
        raise problems.stop(
            1, f"no column is called {' or '.join(VARIANT[:3])}: say which names the variant; there are {there}"
        )
    block = _first_block(log, problems, [name for name in log.names if name not in log.nested])
    head = block.frame.head(HEAD)
    others = [name for name in head.columns if name not in (arm, unit)]
    chosen = list(dict.fromkeys(numbers)) or [name for name in others if name in log.truths or _has_numbers(head[name])]
    if not chosen:
        raise problems.stop(*_why_nothing(head.select(others), block.lines))
    if not numbers:
        _note_texts(head.select(name for name in others if name not in chosen), block.lines, problems)
    if len(chosen) > MOST_NUMBERS:
        raise problems.stop(1, f"{len(chosen)} columns of numbers; name at most {MOST_NUMBERS}")
    try:
        question = Question(control="", measures=tuple(chosen))
        units = read_units(path, problems, question, variant=arm, unit=unit or None, watch=watch)
    except FormatError:
        raise
    except ValueError as reason:
        raise problems.stop(1, str(reason)) from reason
    return ExperimentLog(
        form=log.form,
        variant=arm,
        numbers=tuple(chosen),
        texts=tuple(name for name in others if name not in chosen),
        n={name: moments.n for name, moments in sorted(units.groups.items())},
        names=tuple(head.columns),
        rows=[["" if one is None else str(one) for one in row] for row in head.head(SHOWN).rows()],
    )


def _first_block(log: Log, problems: Problems, names: Sequence[str]) -> Block:
    """All columns as text."""
    columns = dict.fromkeys(names, Column("text", may_lack=True))
    for block in log.blocks(columns, problems):
        return block
    raise problems.stop(0, "there is no unit in this log")


def _note_texts(texts: "polars.DataFrame", lines: Sequence[int], problems: Problems) -> None:
    """Columns that hold numbers in most rows of the head, and are read as text for the others."""
    for name in texts.columns:
        n = int(_are_numbers(texts[name]).sum())
        if 2 * n > texts.height:
            row, what = _first_text(texts, name)
            rows = f"{n:,} of the first {texts.height:,} rows"
            problems.note(
                lines[row], f"{shown(name)} has numbers in {rows} and is read as text: in this row there is {what}"
            )


def _first_text(texts: "polars.DataFrame", name: str) -> tuple[int, str]:
    row = int((~_are_numbers(texts[name])).arg_true()[0])
    value = texts[name][row]
    return row, f"no {shown(name)}" if value is None else f"{shown(value)} as {shown(name)}"


def _why_nothing(texts: "polars.DataFrame", lines: Sequence[int]) -> tuple[int, str]:
    """The line and the reason: of the column with the most numbers what is none."""
    nothing = "no column has numbers alone: there is nothing to measure"
    share = {name: _are_numbers(texts[name]).sum() for name in texts.columns}
    name = max(share, key=lambda each: share[each], default="")
    if not name or not share[name]:
        return 1, nothing
    row, what = _first_text(texts, name)
    return lines[row], f"{nothing}. In this row there is {what}"


def _has_numbers(texts: "polars.Series") -> bool:
    return bool(len(texts) and _are_numbers(texts).all())


def _are_numbers(texts: "polars.Series") -> "polars.Series":
    import polars as pl  # noqa: PLC0415

    return texts.cast(pl.Float64, strict=False).is_finite().fill_null(value=False)
