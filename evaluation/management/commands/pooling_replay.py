"""What each way to choose judgments would have made of a pool that is judged already, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import cast, get_args

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.adaptive.methods import METHODS, methods_named
from evaluation.engine.adaptive.replay import BUDGETS, Replay, Unlisted, replay
from evaluation.formats.pooling_replay import FORMATS, as_csv, as_json, write_plots
from evaluation.management.command_options import (
    add_files,
    checked_folder,
    comparable_measures,
    engine_errors,
)
from evaluation.management.files import read_judged_runs, refuse_two_stdins

MEASURE, SEEDS, DEPTH = "nDCG@10", 20, 10


class Command(TouchstoneCommand):
    help = (
        "Replay ways to choose judgments on full qrels: the order of the runs, error of AP and relevant documents "
        "found against judgments spent. Nothing is stored but the files that are asked for."
    )
    examples = (
        "touchstone pooling_replay qrels.txt runs/*.run --seeds 50 --out replay/",
        "touchstone pooling_replay qrels.txt runs/*.run --methods depth max-mean --budgets 0.3 0.7 --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "replayed", REFUSED: "refused: a file has problems, or there is nothing to replay; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="three runs or more")
        parser.add_argument("--methods", nargs="+", choices=list(METHODS), help="default: all", metavar="METHOD")
        parser.add_argument(
            "--budgets",
            nargs="+",
            type=float,
            default=list(BUDGETS),
            metavar="SHARE",
            help="of the pool that is judged; default: tenths",
        )
        parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="draws; default: %(default)s")
        parser.add_argument("--measure", "-m", default=MEASURE, metavar="NAME", help="default: %(default)s")
        parser.add_argument("--depth", type=int, default=DEPTH, metavar="N", help="of the pool; default: %(default)s")
        parser.add_argument(
            "--rel", type=int, default=1, metavar="GRADE", help="relevant from this grade; default: %(default)s"
        )
        parser.add_argument(
            "--unlisted",
            choices=get_args(Unlisted),
            default="skip",
            help="pairs that the qrels lack: never chosen, or judged 0; default: %(default)s",
        )
        parser.add_argument("--leave-out-run", action="store_true", help="again with each run left out of the pool")
        parser.add_argument("--out", metavar="FOLDER", help="write replay.csv, replay.json and plots there")
        parser.add_argument("--plot-format", choices=["svg", "png", "pdf"], default="svg", help="default: %(default)s")
        parser.add_argument("--force", action="store_true", help="replace files that are there")

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        runs: list[str],
        out: str | None,
        plot_format: str,
        force: bool,
        **asked: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        names = cast("list[str] | None", asked["methods"]) or list(METHODS)
        measure, *others = comparable_measures([str(asked["measure"])])
        if others:
            raise MisuseError(f"{asked['measure']} is several measures: name one.")
        folder = checked_folder(out)
        if folder is not None and not force:
            _refuse_taken(folder)
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        with engine_errors(), Progress(self.stderr) as bar:
            replayed = replay(
                packed,
                reference,
                methods_named(names),
                budgets=cast("list[float]", asked["budgets"]),
                n_seeds=cast("int", asked["seeds"]),
                measure=measure,
                depth=cast("int", asked["depth"]),
                rel=cast("int", asked["rel"]),
                unlisted=cast("Unlisted", asked["unlisted"]),
                leave_out=bool(asked["leave_out_run"]),
                progress=bar,
            )
        self.stdout.write(FORMATS["json" if self.as_json else "table"](replayed), ending="")
        if folder is not None:
            self._write(replayed, folder, plot_format)

    def _write(self, replayed: Replay, folder: Path, ending: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("replay.csv", as_csv(replayed)), ("replay.json", as_json(replayed))):
            written([text.encode()], folder / name, force=True)
            self.stderr.write(f"wrote {folder / name}")
        for path in write_plots(replayed, folder, ending):
            self.stderr.write(f"wrote {path}")


def _refuse_taken(folder: Path) -> None:
    taken = next((folder / name for name in ("replay.csv", "replay.json") if (folder / name).exists()), None)
    if taken is not None:
        raise MisuseError(f"{taken}: there is such a file already; --force replaces it.")
