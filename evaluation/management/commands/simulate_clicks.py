"""Clicks on interleaved lists, simulated from judgments: nothing is stored."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from evaluation.engine.clicks.models import MODELS, ClickModel, model_named
from evaluation.engine.clicks.simulation import simulated_clicks
from evaluation.formats.clicks import clicks_jsonl
from evaluation.formats.interleaving import read_lists
from evaluation.management.command_options import QRELS_FORMS, add_seed, engine_errors
from evaluation.management.files import read_beside_log, read_qrels, refuse_two_stdins

MOST_IMPRESSIONS = 1_000_000


class Command(TouchstoneCommand):
    help = (
        "Simulate clicks on interleaved lists by users of a known kind, from judgments: to try an evaluation before "
        "users do. `credit_clicks` reads the log; docs/interleaving.md has the models."
    )
    examples = (
        "touchstone simulate_clicks qrels.txt lists.jsonl --clicks navigational --impressions 5000 -o clicks.jsonl",
        "touchstone simulate_clicks qrels.txt lists.jsonl --clicks position_based --eta 1.5 --seed 3 > clicks.jsonl",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a file has problems, or no shown document is judged relevant"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("qrels", help=f"{QRELS_FORMS}; - reads the standard input")
        parser.add_argument("lists", help="what `interleave` has written")
        parser.add_argument(
            "--impressions", type=int, default=1000, metavar="N", help="at most 1,000,000; default: %(default)s"
        )
        add_clicks(parser)
        add_seed(parser)
        add_output(parser, "the log, as JSONL")

    def handle(self, *, qrels: str, lists: str, impressions: int, seed: int, **options: Any) -> None:
        import numpy as np

        if impressions > MOST_IMPRESSIONS:
            raise MisuseError(f"--impressions {impressions}: at most {MOST_IMPRESSIONS:,} are simulated at once")
        refuse_two_stdins([qrels, lists])
        target = checked_output(options["output"], force=options["force"])
        model = clicks_of(options)
        judged, shown = read_qrels(qrels, self.stderr), read_beside_log(lists, read_lists, self.stderr)
        with engine_errors():
            rng = np.random.default_rng(seed)
            row, clicked = simulated_clicks(shown, judged, model, impressions=impressions, rng=rng)
        if target is None:
            for piece in clicks_jsonl(shown, row, clicked):
                self.stdout.write(piece.decode(), ending="")
        else:
            written(clicks_jsonl(shown, row, clicked), target, force=options["force"])
        n_clicked = int(clicked.any(axis=1).sum())
        self.stderr.write(f"{impressions} impressions, {n_clicked} of them with {int(clicked.sum())} clicks")


def add_clicks(parser: argparse.ArgumentParser) -> None:
    words = "; ".join(f"{name} {kind.meaning}" for name, kind in MODELS.items())
    parser.add_argument("--clicks", choices=list(MODELS), default="navigational", help=f"who clicks: {words}")
    parser.add_argument("--eta", type=float, help="of position_based: position r is looked at (1/r)^eta often")
    parser.add_argument("--noise", type=float, help="of position_based: how often grade 0 is clicked once looked at")


def clicks_of(options: Mapping[str, Any]) -> ClickModel:
    with engine_errors(MisuseError):
        return model_named(options["clicks"], eta=options["eta"], noise=options["noise"])
