"""Options that several evaluating commands have, and what their results should be read with."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, cast, get_args

from annotation.formats.mapping import Meaning
from annotation.kernel.commands import files
from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.foundation import CommandError, OutputWrapper
from evaluation.engine.comparison import Design, check_comparable
from evaluation.engine.judge_next import BEST, DEPTH, PAIRS
from evaluation.engine.measures import DEFAULT_MEASURES, Measure, parse_measures
from evaluation.engine.options import Options, Ties, Unjudged
from evaluation.engine.scorer import Averaging, MeasureValues, Scoring
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.paired.result import Test
from evaluation.formats.notes import notes_on

QRELS_FORMS = "TREC, BEIR, CSV, TSV, JSONL or JSON, plain or gzip, told by its content"
RUN_FORMS = "TREC, JSONL or JSON, plain or gzip"
OPTION_NAMES = {"n_draws": "draws", "minimum": "minimum_difference"}  # fields of a design that are called otherwise


def add_files(parser: argparse.ArgumentParser, *, runs: str) -> None:
    """`runs` says how many, in words."""
    parser.add_argument("qrels", help=f"{QRELS_FORMS}; - reads the standard input")
    parser.add_argument("runs", nargs="+", metavar="run", help=f"{runs}: {RUN_FORMS}; one of all files may be -")


def add_measures(parser: argparse.ArgumentParser, default: Sequence[str] = DEFAULT_MEASURES) -> None:
    parser.add_argument(
        "--measure",
        "-m",
        action="append",
        metavar="NAME",
        help=f"nDCG@10, AP(rel=2), ndcg_cut.5,10, official …; may be repeated (default: {' '.join(default)})",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """How runs are read, and over which topics they are averaged."""
    parser.add_argument(
        "--averaging",
        choices=get_args(Averaging),
        default="complete",
        help="over all topics of the qrels, or only those the run has (default: %(default)s)",
    )
    parser.add_argument(
        "--ties",
        choices=get_args(Ties),
        default="docno",
        help="what orders documents of equal score: docno is trec_eval's, descending (default: %(default)s)",
    )
    parser.add_argument("--depth", type=int, metavar="N", help="only the first N documents of each topic")
    parser.add_argument("--judged-only", action="store_true", help="drop unjudged documents before ranks are given")
    parser.add_argument(
        "--unjudged",
        choices=get_args(Unjudged),
        default="zero",
        help="what unjudged documents count as; top, the top grade, is a scenario (default: %(default)s)",
    )
    parser.add_argument("--max-grade", type=int, metavar="N", help="the top of the scale (default: the qrels' highest)")
    parser.add_argument("--trec-eval-9", action="store_true", help="scores as 32-bit numbers, as trec_eval 9 has them")
    parser.add_argument("--device", help="compute with torch on this device (cpu, cuda); without it: numpy")


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Which unjudged pairs are ranked, and how many are wanted."""
    parser.add_argument("--depth", type=int, default=DEPTH, metavar="N", help="of the runs; default: %(default)s")
    words = "of more than two runs, so many of the best by the measure; default: %(default)s"
    parser.add_argument("--best", type=int, default=BEST, metavar="N", help=words)
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help="so many; default: %(default)s")


def add_output(parser: argparse.ArgumentParser, formats: Iterable[str], *, plots: str) -> None:
    """In which form the figures are written, where to, and which plots beside them."""
    add_format(parser, formats)
    parser.add_argument("--plot", metavar="FOLDER", help=f"write plots there: {plots}")
    parser.add_argument("--plot-format", choices=["svg", "png", "pdf"], default="svg", help="default: %(default)s")


def add_format(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    """In which form the figures are written, and where to."""
    parser.add_argument("--format", choices=sorted(formats), help="default: table; json, with --json")
    files.add_output(parser)


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=_seed, default=0, help="of all that is drawn at random; default: %(default)s")


def add_design(parser: argparse.ArgumentParser, *, test: str = "") -> None:
    """How runs are compared. `test` says which test is taken where none is named; without it that of `Design`."""
    default = Design()
    tests = (*get_args(Test), "tukey")
    parser.add_argument(
        "--test", choices=tests, default=None if test else default.test, help=test or "default: %(default)s"
    )
    parser.add_argument(
        "--correction", choices=get_args(Correction), default=default.correction, help="of p; default: %(default)s"
    )
    parser.add_argument(
        "--interval", choices=get_args(Method), default=default.interval, help="of a difference; default: %(default)s"
    )
    parser.add_argument("--confidence", type=float, default=default.confidence, help="default: %(default)s")
    parser.add_argument("--alpha", type=float, default=default.alpha, help="default: %(default)s")
    parser.add_argument("--baseline", metavar="TAG", help="compare every other run with this one, not all pairs")
    parser.add_argument("--draws", type=int, metavar="N", help="sign vectors, resamples or permutations of the test")
    add_seed(parser)
    parser.add_argument(
        "--threshold",
        type=float,
        default=default.threshold,
        metavar="X",
        help="values that differ by no more are equal, where topics are counted; default: %(default)s",
    )
    parser.add_argument(
        "--minimum-difference",
        type=float,
        metavar="X",
        help="the smallest difference that would matter: says with what power a paired t-test of one pair alone finds "
        "it on these topics, and how many topics it needs",
    )
    parser.add_argument("--power", type=float, default=default.power, help="wanted; default: %(default)s")


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"a seed is a whole number of at least 0, not {text}")
    return int(text)


@contextmanager
def engine_errors(kind: Callable[[str], CommandError] = RefusedError) -> Iterator[None]:
    """What the engine refuses ends the command, without a traceback."""
    try:
        yield
    except ValueError as error:
        raise kind(str(error)) from error


def scoring_of(options: dict[str, object]) -> Scoring:
    """The options of `add_options`; ends the command for those that do not go together."""
    with engine_errors(MisuseError):
        run_options = Options(
            ties=cast("Ties", options["ties"]),
            judged_only=bool(options["judged_only"]),
            depth=cast("int | None", options["depth"]),
            unjudged=cast("Unjudged", options["unjudged"]),
            max_grade=cast("int | None", options["max_grade"]),
            trec_eval=9 if options["trec_eval_9"] else 10,
        )
    averaging, device = cast("Averaging", options["averaging"]), cast("str | None", options["device"])
    return {"averaging": averaging, "options": run_options, "device": device}


def design_of(options: dict[str, object]) -> Design:
    """Those options that say how runs are compared; a choice for which there is none stays as it is by default.

    Raises `ValueError` for what `Design` refuses.
    """
    names = {field.name: OPTION_NAMES.get(field.name, field.name) for field in fields(Design)}
    return Design(**{name: cast("Any", options[option]) for name, option in names.items() if option in options})


def measures_of(names: Sequence[str], parse: Callable[[str], Sequence[Measure]] = parse_measures) -> list[Measure]:
    """Each measure once, in the order of the names."""
    with engine_errors(MisuseError):
        return list(dict.fromkeys(measure for name in names for measure in parse(name)))


def comparable_measures(names: Sequence[str]) -> list[Measure]:
    """Those whose differences over topics add up; the command ends for others."""
    measures = measures_of(names)
    with engine_errors():
        check_comparable(measures)
    return measures


def write_notes(
    stderr: OutputWrapper,
    evaluations: Sequence[MeasureValues],
    reference: object,
    measures: Sequence[Measure],
    options: Options,
) -> None:
    """What a reader of the figures should know: of each run, then of the judgments where these are plain qrels."""
    for note in notes_on(evaluations, reference, measures, options):
        stderr.write(note)


def columns_by_meaning(pairs: Iterable[str], meanings: Iterable[Meaning], words: str) -> dict[str, str]:
    """`["value=ndcg"]` → `{"value": "ndcg"}`. Raises `MisuseError`, with the `words`, for what is no meaning."""
    columns = dict(pair.partition("=")[::2] for pair in pairs)
    if unknown := columns.keys() - {meaning.name for meaning in meanings}:
        raise MisuseError(f"--column {min(unknown)}: there are {words}.")
    return columns


def checked_folder(path: str | None) -> Path | None:
    """A folder to write into. Whoever writes makes it: nothing is left of a command that is stopped before."""
    if path is None:
        return None
    folder = Path(path)
    new_folders = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise MisuseError(f"{path}: {fault.strerror}") from fault
    for one in new_folders:
        one.rmdir()
    return folder


def cutoffs_of(text: str) -> tuple[int, ...]:
    """The type of an option."""
    try:
        cutoffs = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        cutoffs = ()
    if not cutoffs or cutoffs[0] < 1:
        raise argparse.ArgumentTypeError("cutoffs are whole numbers from 1, as in 1,5,10")
    return cutoffs
