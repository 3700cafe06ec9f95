"""The leaderboard as commands: runs evaluated and stored, their means, a pool of what a run has unjudged."""

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import FormatError
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    collection_named,
    require_valid,
    snapshot_named,
    trial,
)
from annotation.kernel.commands.progress import Progress
from annotation.kernel.forms import POOL_NAME_TAKEN
from annotation.kernel.taken import TakenError
from annotation.models import Collection, Job, Snapshot
from annotation.text.counted import counted
from evaluation.engine.packed import PackedError
from evaluation.leaderboard.forms import UnjudgedForm
from evaluation.leaderboard.pages.words import AVERAGING
from evaluation.leaderboard.read.evaluations import CONFIDENCE, evaluations_of, means_at
from evaluation.leaderboard.steps.evaluating import check_evaluation, create_pool_of_unjudged, evaluate_here
from evaluation.management.accounting import runs_named
from evaluation.management.command_options import add_choice
from evaluation.models import Evaluation
from evaluation.pooling.forms import MEASURE, PoolOfNextForm
from evaluation.pooling.steps.next_pairs import create_pool_of_next

WAYS = [way for way, _ in AVERAGING]


class ShowLeaderboard(TouchstoneCommand):
    help = "List what the runs of a collection were evaluated to against a snapshot: means, with their intervals."
    examples = (
        "touchstone leaderboard show bees 2026-11",
        "touchstone leaderboard show bees 2026-11 -m nDCG@10 --run bm25 --json",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_snapshot(parser)
        parser.add_argument("--run", action="append", metavar="TAG", help="a run, as often as wanted; all, if none")
        parser.add_argument("--measure", "-m", action="append", metavar="NAME", help="as often as wanted; all, if none")
        words = "of the intervals of means, each for itself, from 0.5 to 0.9999 (default: %(default)g)"
        parser.add_argument("--confidence", type=float, default=CONFIDENCE, metavar="SHARE", help=words)

    def handle(self, *, collection: str, snapshot: str, averaging: str, confidence: float, **options: Any) -> None:
        if not 0.5 <= confidence <= 0.9999:
            raise MisuseError("The confidence lies between 0.5 and 0.9999.")
        here = collection_named(collection)
        rows = evaluations_of(here, snapshot=snapshot_named(here, snapshot), averaging=averaging)
        tags = options["run"] and {run.tag for run in runs_named(here, options["run"])}
        chosen = [_as_facts(each, options["measure"], confidence) for each in rows if not tags or each.run.tag in tags]
        self.answer("\n".join(map(_in_words, chosen)) or "no evaluation", chosen)


class EvaluateRuns(TouchstoneCommand):
    help = "Evaluate runs of a collection against a snapshot and store it, as the leaderboard shows it."
    examples = (
        "touchstone leaderboard evaluate bees 2026-11",
        "touchstone leaderboard evaluate bees 2026-11 --run bm25 --run dense -m nDCG@20 --dry-run",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "evaluated and stored, or with --dry-run: could be; what was stored before is replaced",
            REFUSED: "refused: there is no run, or one has to be imported again",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_snapshot(parser)
        parser.add_argument(
            "--run", action="append", default=[], metavar="TAG", help="as often as wanted; all, if none"
        )
        words = "besides the usual ones, as often as wanted, as in evaluate"
        parser.add_argument("--measure", "-m", action="append", default=[], metavar="NAME", help=words)
        add_dry_run(parser)

    def handle(self, *, collection: str, snapshot: str, averaging: Any, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        against, runs = snapshot_named(here, snapshot), runs_named(here, options["run"])
        asked = {"averaging": averaging, "measures": options["measure"]}
        watch = Progress(self.stderr)
        try:
            measures = check_evaluation(against, runs, **asked)
            job = None if dry_run else evaluate_here(against, runs, **asked, watch=watch)
        except ValueError as error:
            raise MisuseError(str(error)) from error
        finally:
            watch.end()
        if job is not None and job.state != Job.State.DONE:
            raise RefusedError(job.error)
        facts = {"snapshot": against.name, "runs": [run.tag for run in runs], "measures": measures}
        verb = "would be evaluated" if dry_run else "evaluated"
        words = f"{verb}: {counted(len(runs), 'run')} by {counted(len(measures), 'measure')}"
        self.answer(words, {**facts, "averaging": averaging, "stored": not dry_run})


class PoolUnjudged(TouchstoneCommand):
    help = "Make a pool of what a run has at its tops and a snapshot does not judge."
    examples = ("touchstone leaderboard unjudged bees 2026-11 dense 'dense unjudged' --depth 10",)
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "stored, or with --dry-run: would be stored",
            REFUSED: "refused: all of it is judged, documents are not here, or the name is taken",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_snapshot(parser)
        parser.add_argument("run", metavar="TAG", help="the run by its tag, evaluated against the snapshot")
        parser.add_argument("name", help="what the pool is called")
        parser.add_argument("--depth", type=int, default=10, help="so many documents of each topic (default: 10)")
        add_dry_run(parser)

    def handle(
        self, *, collection: str, snapshot: str, averaging: str, run: str, dry_run: bool, **options: Any
    ) -> None:
        here = collection_named(collection)
        evaluation = _evaluation(here, snapshot_named(here, snapshot), run, averaging)
        form = UnjudgedForm({name: options[name] for name in ("name", "depth")}, collection=here)
        require_valid(form)
        try:
            with trial(dry_run=dry_run):
                pool = create_pool_of_unjudged(evaluation, **form.cleaned_data, created_by=None)
        except FormatError as error:
            raise RefusedError("nothing was stored.", problems=error.problems) from error
        except PackedError as error:
            raise RefusedError(str(error)) from error
        except TakenError as error:
            raise RefusedError(POOL_NAME_TAKEN) from error
        words = f"{'would be stored' if dry_run else 'stored'}: {pool.name}, {counted(pool.n_pairs, 'pair')}"
        self.answer(words, {"name": pool.name, "pairs": pool.n_pairs, "origin": pool.origin, "stored": not dry_run})


class PoolNext(TouchstoneCommand):
    help = "Make a pool of the unjudged pairs that would tell most about two runs, or about the best of all."
    examples = (
        "touchstone leaderboard judge-next bees 2026-11 'bm25 or dense' --run bm25 --run dense -m nDCG@10",
        "touchstone leaderboard judge-next bees 2026-11 'the top' --best 5 --pairs 200 --dry-run --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "stored, or with --dry-run: would be stored",
            REFUSED: "refused: all of it is judged, documents are not here, or the name is taken",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("snapshot", help="the snapshot by its name")
        parser.add_argument("name", help="what the pool is called")
        words = "one of two runs to separate; the best of all, if none"
        parser.add_argument("--run", action="append", default=[], metavar="TAG", help=words)
        parser.add_argument("--measure", "-m", default=MEASURE, metavar="NAME", help="default: %(default)s")
        add_choice(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, run: list[str], dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        if len(run) not in {0, 2}:
            raise MisuseError(f"Two runs are separated, or none are named; these are {len(run)}.")
        first, second = [one.tag for one in runs_named(here, run)] if run else ("", "")
        names = ("snapshot", "name", "measure", "depth", "best", "pairs")
        entered = {name: options[name] for name in names} | {"first": first, "second": second}
        form = PoolOfNextForm(entered, collection=here)
        require_valid(form)
        try:
            with trial(dry_run=dry_run):
                pool = create_pool_of_next(form.asked(), name=form.cleaned_data["name"], created_by=None, waits=True)
        except FormatError as error:
            raise RefusedError("nothing was stored.", problems=error.problems) from error
        except (PackedError, ValueError) as error:
            raise RefusedError(str(error)) from error
        except TakenError as error:
            raise RefusedError(POOL_NAME_TAKEN) from error
        words = f"{'would be stored' if dry_run else 'stored'}: {pool.name}, {counted(pool.n_pairs, 'pair')}"
        self.answer(words, {"name": pool.name, "pairs": pool.n_pairs, "origin": pool.origin, "stored": not dry_run})


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"show": ShowLeaderboard, "evaluate": EvaluateRuns, "unjudged": PoolUnjudged, "judge-next": PoolNext}
)


def _add_snapshot(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("snapshot", help="the snapshot by its name")
    words = "topics that a run lacks count 0 (complete, the default), or only those that it has count (retrieved)"
    parser.add_argument("--averaging", choices=WAYS, default=WAYS[0], help=words)


def _evaluation(collection: Collection, snapshot: Snapshot, tag: str, averaging: str) -> Evaluation:
    run = runs_named(collection, [tag])[0]
    evaluation = evaluations_of(collection, snapshot=snapshot, run=run, averaging=averaging).first()
    if evaluation is None:
        raise MisuseError(f"{tag} is not evaluated against {snapshot.name}: leaderboard evaluate.")
    return evaluation


def _as_facts(evaluation: Evaluation, measures: Sequence[str] | None, confidence: float) -> dict[str, Any]:
    names = measures or evaluation.measures
    unknown = [name for name in names if name not in evaluation.means]
    if unknown:
        raise MisuseError(f"{evaluation.run.tag} is not evaluated by {unknown[0]}.")
    means = means_at(evaluation, confidence)
    return {
        "run": evaluation.run.tag,
        "snapshot": evaluation.snapshot.name,
        "averaging": evaluation.averaging,
        "n_topics": evaluation.n_topics,
        "n_missing": evaluation.n_missing,
        "confidence": confidence,
        "means": {name: means[name] for name in names},
    }


def _in_words(facts: Mapping[str, Any]) -> str:
    means = (f"  {name}: {_mean(values)}" for name, values in facts["means"].items())
    return "\n".join([f"{facts['run']} ({counted(facts['n_topics'], 'topic')})", *means])


def _mean(values: Mapping[str, float | None]) -> str:
    interval = "" if values["low"] is None else f" ({values['low']:.4f} to {values['high']:.4f})"
    return f"{values['mean']:.4f}{interval}"
