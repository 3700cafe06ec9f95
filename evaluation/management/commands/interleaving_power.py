"""How many impressions an interleaving experiment needs, beside an A/B test: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from evaluation.engine.clicks.power import OUTCOMES, power
from evaluation.formats.clicks import plot_of_power, power_as_facts, power_as_text
from evaluation.formats.plots import ENDINGS
from evaluation.management.command_options import QRELS_FORMS, RUN_FORMS, add_seed, engine_errors
from evaluation.management.commands.interleave import add_method, chosen_method
from evaluation.management.commands.simulate_clicks import MOST_IMPRESSIONS, add_clicks, clicks_of
from evaluation.management.files import read_judged_runs, refuse_two_stdins

SIZES = "50,100,200,500,1000,2000,5000,10000"


class Command(TouchstoneCommand):
    help = (
        "Say how often an interleaving experiment, and an A/B test of the same traffic, would find which of two runs "
        "users prefer: clicks are simulated from judgments. docs/interleaving.md says what is assumed."
    )
    examples = (
        "touchstone interleaving_power qrels.txt bm25.run dense.run --clicks informational --plot power.svg",
        "touchstone interleaving_power qrels.txt a.run b.run --method optimised --sizes 100,1000 --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "computed", REFUSED: "refused: a file has problems, or no shown document is judged relevant"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("qrels", help=f"{QRELS_FORMS}; - reads the standard input")
        parser.add_argument("runs", nargs=2, metavar="run", help=f"two: {RUN_FORMS}; one of all files may be -")
        add_method(parser)
        add_clicks(parser)
        parser.add_argument("--sizes", default=SIZES, metavar="N,N", help="impressions in all; default: %(default)s")
        parser.add_argument("--replications", type=int, default=1000, metavar="N", help="default: %(default)s")
        parser.add_argument(
            "--outcome",
            choices=list(OUTCOMES),
            default="clicked",
            help="of the A/B test: any click, 1/position of the first, or how many; default: %(default)s",
        )
        parser.add_argument("--alpha", type=float, default=0.05, help="of both tests; default: %(default)s")
        add_seed(parser)
        parser.add_argument("--plot", metavar="FILE", help="write the curve there: .svg, .png or .pdf")
        parser.add_argument("--force", action="store_true", help="replace the file of the plot if it is there")

    def handle(self, *, qrels: str, runs: list[str], plot: str | None, force: bool, **options: Any) -> None:
        refuse_two_stdins([qrels, *runs])
        target = _plot_file(plot, force=force)
        method, model, sizes = chosen_method(options), clicks_of(options), _sizes(options["sizes"])
        judged, packed = read_judged_runs(qrels, runs, self.stderr)
        same = {name: options[name] for name in ("replications", "outcome", "alpha", "depth", "seed")}
        with engine_errors():
            simulation = power(packed, judged, method, model, sizes=sizes, **same)
        if target:
            plot_of_power(simulation, target)
        self.answer(power_as_text(simulation), power_as_facts(simulation))


def _plot_file(plot: str | None, *, force: bool) -> Path | None:
    if plot is not None and Path(plot).suffix[1:] not in ENDINGS:
        raise MisuseError(f"--plot {plot}: the file ends in .{', .'.join(ENDINGS)}")
    return checked_output(plot, force=force)


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(part) for part in text.split(",")]
    except ValueError as fault:
        raise MisuseError(f"--sizes {text}: whole numbers are expected, as in 100,1000") from fault
    if max(sizes) > MOST_IMPRESSIONS:
        raise MisuseError(f"--sizes {text}: at most {MOST_IMPRESSIONS:,} impressions are simulated at once")
    return sizes
