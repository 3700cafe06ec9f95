"""What a report answers, and the commands that ask the same again, from the files in its folder."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal, TypeAlias

from evaluation.engine.comparison import Design
from evaluation.engine.measures import Measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.scorer import Averaging

Kind: TypeAlias = Literal["evaluation", "comparison"]
CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
PROGRAM = "touchstone"
FOLDER = "again"  # where the printed command writes
_OF_MANY = ("test", "correction", "alpha", "confidence", "n_draws")
_NAMES = {"n_draws": "draws", "minimum": "minimum-difference"}  # fields of a design whose options are called otherwise


@dataclass(frozen=True, kw_only=True)
class Question:
    """`design` and `seed` are of what is tested: in an evaluation the ranks by the first measure."""

    kind: Kind
    title: str
    measures: tuple[Measure, ...]
    design: Design
    seed: int = 0
    averaging: Averaging = "complete"
    options: Options = DEFAULT_OPTIONS
    cutoffs: tuple[int, ...] = CUTOFFS


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The files, by their places in the report's folder; `facts` are what is known of the qrels, if anything."""

    qrels: str
    runs: tuple[str, ...]
    facts_file: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


def report_command(question: Question, inputs: Inputs) -> list[str]:
    """Run inside the folder, it writes an equal one."""
    words = [PROGRAM, "report", inputs.qrels, *inputs.runs, "--kind", question.kind, "--title", question.title]
    words += _measures(question) + _scoring(question) + _design(question, [each.name for each in fields(Design)])
    words += ["--cutoffs", ",".join(map(str, question.cutoffs))]
    if inputs.facts_file:
        words += ["--facts", inputs.facts_file]
    return [*words, "--output", FOLDER]


def evaluate_command(question: Question, inputs: Inputs, form: str, *, per_topic: bool = False) -> list[str]:
    words = [PROGRAM, "evaluate", inputs.qrels, *inputs.runs, *_measures(question), *_scoring(question)]
    return [*words, *(["--per-topic"] if per_topic else []), "--format", form]


def compare_command(question: Question, inputs: Inputs, form: str) -> list[str]:
    words = [PROGRAM, "compare", inputs.qrels, *inputs.runs, *_measures(question), *_scoring(question)]
    return [*words, *_design(question, [each.name for each in fields(Design)]), "--format", form]


def compare_many_command(question: Question, inputs: Inputs, form: str) -> list[str]:
    """By the first measure alone in an evaluation, by all in a comparison."""
    measures = _measures(question)[:2] if question.kind == "evaluation" else _measures(question)
    words = [PROGRAM, "compare_many", inputs.qrels, *inputs.runs, *measures, *_scoring(question)]
    return [*words, *_design(question, _OF_MANY), "--format", form]


def as_line(words: Sequence[str]) -> str:
    """As a shell takes it."""
    return shlex.join(words)


def _measures(question: Question) -> list[str]:
    return [word for one in question.measures for word in ("--measure", str(one))]


def _scoring(question: Question) -> list[str]:
    """Averaging, and those options that are not as they usually are."""
    options, words = question.options, ["--averaging", question.averaging]
    for name in ("ties", "depth", "unjudged", "max_grade"):
        if (value := getattr(options, name)) != getattr(DEFAULT_OPTIONS, name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--judged-only"] if options.judged_only else []
    return words + (["--trec-eval-9"] if options.trec_eval == 9 else [])


def _design(question: Question, names: Sequence[str]) -> list[str]:
    words: list[str] = []
    for name in names:
        if (value := getattr(question.design, name)) is not None:
            words += [f"--{_NAMES.get(name, name)}", str(value)]
    return [*words, "--seed", str(question.seed)]
