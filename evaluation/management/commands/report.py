"""A report of runs as a folder, from files: nothing is stored."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import cast, get_args

from annotation.formats.objects import strict_json
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.progress import Progress
from evaluation.engine.comparison import Design
from evaluation.engine.many_runs import DESIGN as OF_MANY
from evaluation.engine.measures import Measure
from evaluation.formats.report.atomic_folder import whole_folder, why_not_written
from evaluation.formats.report.folder import copied, write_report
from evaluation.formats.report.question import CUTOFFS, Inputs, Kind, Question
from evaluation.management.command_options import (
    add_design,
    add_files,
    add_measures,
    add_options,
    comparable_measures,
    cutoffs_of,
    design_of,
    engine_errors,
    measures_of,
    scoring_of,
)
from evaluation.management.files import STDIN, read_judged_runs

MEASURES = ("nDCG@10", "AP", "RR", "P@10")
MOST_FACTS = 1 << 20  # bytes


class Command(TouchstoneCommand):
    help = "Write a report of runs as a folder: one page to read and print, tables, plots, and the files it rests on."
    examples = (
        "touchstone report qrels.txt bm25.run dense.run -m nDCG@10 -m 'AP(rel=2)' -o report",
        "touchstone report qrels.txt bm25.run dense.run --kind comparison --minimum-difference 0.02 --json -o report",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a file has problems, or the runs cannot be compared; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="one run or more")
        parser.add_argument(
            "--kind",
            choices=get_args(Kind),
            default="evaluation",
            help="evaluation: means, and ranks by the first measure; comparison: two runs, many runs, or all against "
            "--baseline (default: %(default)s)",
        )
        parser.add_argument("--title", metavar="TEXT", help="default: the kind, and the names of the runs or how many")
        parser.add_argument("--facts", metavar="FILE", help="what is known of the qrels, a JSON object: stands in it")
        add_measures(parser, MEASURES)
        add_options(parser)
        add_design(parser, test=f"default: {Design().test}; of three runs or more and of ranks {OF_MANY.test}")
        parser.add_argument(
            "--cutoffs",
            type=cutoffs_of,
            default=CUTOFFS,
            metavar="K,K…",
            help=f"of the plots by cutoff (default: {','.join(map(str, CUTOFFS))})",
        )
        parser.add_argument("--output", "-o", metavar="FOLDER", required=True, help="the folder to write")
        parser.add_argument("--force", action="store_true", help="replace the report that is there")

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        runs: list[str],
        kind: Kind,
        title: str | None,
        facts: str | None,
        measure: list[str] | None,
        cutoffs: tuple[int, ...],
        output: str,
        force: bool,
        **rest: object,
    ) -> None:
        if STDIN in [qrels, *runs]:
            raise MisuseError("A report keeps the files that it is made from: name them, none can be piped in.")
        folder, facts_by_name = _folder(output, force=force), _facts(facts)
        question = _question(kind, measure, rest, n_runs=len(runs))
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        question = replace(question, title=title or _title(kind, [run.tag for run in packed]), cutoffs=cutoffs)
        with engine_errors(), whole_folder(folder) as incoming, Progress(self.stderr) as bar:
            names = copied([Path(name) for name in [qrels, *runs, *([facts] if facts else [])]], incoming)
            inputs = Inputs(
                qrels=names[0],
                runs=tuple(names[1 : len(runs) + 1]),
                facts_file=names[-1] if facts else None,
                facts=facts_by_name,
            )
            device = cast("str | None", rest["device"])
            write_report(question, inputs, reference, packed, incoming, watch=bar, device=device)
            n_files = sum(path.is_file() for path in incoming.rglob("*"))
        words = f"written: {folder}, {n_files} files; {folder / 'report.html'} is the page to read"
        self.answer(words, {"folder": str(folder), "n_files": n_files, "kind": kind, "title": question.title})


def _folder(output: str, *, force: bool) -> Path:
    if reason := why_not_written(Path(output), replace=force):
        raise MisuseError(reason)
    return Path(output)


def _facts(file: str | None) -> dict[str, object]:
    if file is None:
        return {}
    try:
        with Path(file).open("rb") as stream:
            facts = strict_json(stream.read(MOST_FACTS).decode("utf-8-sig"))
    except OSError as fault:
        raise MisuseError(f"{file}: {fault.strerror}") from fault
    except ValueError as fault:
        raise RefusedError(f"{file}: no JSON of at most {MOST_FACTS} bytes: {fault}") from fault
    if not isinstance(facts, dict):
        raise RefusedError(f"{file}: the facts are a JSON object, as {{'policy': 'default v1'}}")
    return facts


def _question(kind: Kind, measure: list[str] | None, rest: dict[str, object], *, n_runs: int) -> Question:
    """Without a title, and with the usual cutoffs."""
    scoring = scoring_of(rest)
    names = measure or MEASURES[: len(MEASURES) if kind == "evaluation" else 1]
    measures: list[Measure] = measures_of(names) if kind == "evaluation" else comparable_measures(names)
    if kind == "comparison" and n_runs < 2:
        raise MisuseError("A comparison takes two runs or more.")
    of_many = kind == "evaluation" or (n_runs > 2 and rest["baseline"] is None)
    chosen = {**rest, "test": rest["test"] or (OF_MANY.test if of_many else Design().test)}
    with engine_errors(MisuseError):
        design = design_of(chosen)
    return Question(
        kind=kind,
        title="",
        measures=tuple(measures),
        design=design,
        seed=cast("int", rest["seed"]),
        averaging=scoring["averaging"],
        options=scoring["options"],
    )


def _title(kind: Kind, tags: Sequence[str]) -> str:
    names = " and ".join(tags) if len(tags) < 3 else f"{len(tags)} runs"
    return f"{kind.title()} of {names}"
