"""One run made of several, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.fusion import METHODS
from evaluation.engine.fusion.fuse import DEPTH, fuse, method_named
from evaluation.engine.fusion.normalisation import NORMALISATIONS
from evaluation.formats.run_export import run_jsonl, run_trec
from evaluation.management.command_options import RUN_FORMS, engine_errors
from evaluation.management.files import read_runs, refuse_two_stdins

WRITERS = {"trec": run_trec, "jsonl": run_jsonl}


class Command(TouchstoneCommand):
    help = "Make one run of several by their ranks or scores. Nothing is stored; `import run` brings the result in."
    examples = (
        "touchstone fuse bm25.run dense.run -o fused.run",
        "touchstone fuse bm25.run dense.run logs.run --method comb_mnz --normalisation z-score --tag mnz > mnz.run",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a file has problems, or the scores cannot be added; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", metavar="run", help=f"two or more: {RUN_FORMS}; one of them may be -")
        parser.add_argument("--method", choices=list(METHODS), default="rrf", help="default: %(default)s")
        parser.add_argument("--k", type=int, metavar="N", help=f"the constant of RRF (default: {METHODS['rrf']().k})")  # type: ignore[attr-defined]
        parser.add_argument(
            "--normalisation", choices=list(NORMALISATIONS), help="of the scores, for comb_sum and comb_mnz"
        )
        parser.add_argument("--depth", type=int, default=DEPTH, help="documents kept of each topic; %(default)s")
        parser.add_argument("--tag", help="what the run is called; the method's name, if none")
        parser.add_argument("--format", choices=list(WRITERS), help="default: trec; jsonl, with --json")
        add_output(parser)

    def handle(  # the options of the command line, by name
        self,
        *,
        runs: list[str],
        method: str,
        k: int | None,
        normalisation: str | None,
        depth: int,
        tag: str | None,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **_options: object,
    ) -> None:
        refuse_two_stdins(runs)
        target, name = checked_output(output, force=force), tag or method
        with engine_errors(MisuseError):
            chosen = method_named(method, {"k": k, "normalisation": normalisation})
        if depth < 1 or len(runs) < 2 or len(name.split()) != 1:
            raise MisuseError("A fusion takes two runs, a depth of at least 1, and a tag without blanks.")
        packed = read_runs(runs, self.stderr)
        with engine_errors(), Progress(self.stderr) as bar:
            bar(0, 0, f"fusing {len(packed)} runs")
            fused = fuse(packed, chosen, tag=name, depth=depth).packed
        pieces = WRITERS[format or ("jsonl" if self.as_json else "trec")](fused)
        if target is None:
            for piece in pieces:
                self.stdout.write(piece.decode(), ending="")
        else:
            written(pieces, target, force=force)
        self.stderr.write(f"{chosen} of {', '.join(run.tag for run in packed)}: {fused.n_rows} rows")
