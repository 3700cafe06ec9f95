"""Pools that grow, as commands."""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.corpus.read.texts import topics_with_text
from annotation.formats.problems import FormatError
from annotation.kernel.commands import files
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    collection_named,
    require_valid,
    snapshot_named,
    trial,
)
from annotation.models import Collection, Pool
from annotation.text.counted import counted
from evaluation.engine.judge_next import DEPTH
from evaluation.engine.packed import PackedError
from evaluation.formats.prels import stratified_text
from evaluation.management.accounting import runs_named
from evaluation.management.files import write_text
from evaluation.pooling.forms import GrowingForm
from evaluation.pooling.read import GROWING, GrowingError, next_portion, portions_of, progress_of, sample_rows
from evaluation.pooling.steps.growing import grow, start_growing

EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "stored, or with --dry-run: would be stored",
        REFUSED: "refused: documents are not here, the name is taken, or nothing is left",
    }
)


class NewGrowing(TouchstoneCommand):
    help = "Make a pool that grows: its first portion now, the next ones by what is judged by then."
    examples = (
        "touchstone growing_pool new bees search --method max-mean --run bm25 --run dense --portion 200",
        "touchstone growing_pool new bees sample --method stratified --depth 20 --portion 500 --dry-run",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the pool is called; portions have their number behind it")
        parser.add_argument("--method", choices=GROWING, default="max-mean", help="default: %(default)s")
        parser.add_argument(
            "--run", action="append", default=[], metavar="TAG", help="as often as wanted; all, if none"
        )
        parser.add_argument("--depth", type=int, default=DEPTH, metavar="N", help="of the runs; default: %(default)s")
        parser.add_argument("--portion", type=int, default=100, metavar="N", help="pairs; default: %(default)s")
        words = "relevant from this grade, for move-to-front; default: %(default)s"
        parser.add_argument("--rel", type=int, default=1, metavar="GRADE", help=words)
        parser.add_argument("--seed", type=int, default=0, help="of what is drawn; default: %(default)s")
        words = "the worker makes the next portion once the last one is judged"
        parser.add_argument("--renew", action="store_true", help=words)
        add_dry_run(parser)

    def handle(self, *, collection: str, run: list[str], dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        names = ("name", "method", "depth", "portion", "rel", "seed", "renew")
        entered = {name: options[name] for name in names} | {"runs": [one.tag for one in runs_named(here, run)]}
        numbers = list(topics_with_text(here).values_list("number", flat=True))
        form = GrowingForm(entered, collection=here, numbers=numbers)
        require_valid(form)
        with _refusals(), trial(dry_run=dry_run):
            pool = start_growing(here, form.growth(), created_by=None)
            self.answer(*_answer(pool, dry_run=dry_run))


class NextGrowing(TouchstoneCommand):
    help = "Make the next portion of a pool that grows."
    examples = ("touchstone growing_pool next bees search", "touchstone growing_pool next bees search --dry-run --json")
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_pool(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, pool: str, dry_run: bool, **_: object) -> None:
        last = _last_portion(collection_named(collection), pool)
        with _refusals(), trial(dry_run=dry_run):
            self.answer(*_answer(grow(last, created_by=None), dry_run=dry_run))


class ShowGrowing(TouchstoneCommand):
    help = "Say how far a pool that grows is, and which pairs would come next."
    examples = ("touchstone growing_pool show bees search --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_pool(parser)

    def handle(self, *, collection: str, pool: str, **_: object) -> None:
        here = collection_named(collection)
        with _refusals():
            progress = progress_of(_last_portion(here, pool))
            pairs = next_portion(here, progress)
        growth = progress.growth
        facts = {
            "series": growth.series,
            "method": growth.method,
            "portions": [each.name for each in progress.portions],
            "n_pool": growth.n_pool,
            "n_chosen": len(progress.chosen),
            "n_judged": len(progress.judged),
            "is_sample": growth.way.is_sample,
            "pairs": [list(pair) for pair in pairs],
        }
        lines = [
            f"{growth.series}, by {growth.way.title}: {counted(len(progress.portions), 'portion')}",
            f"{len(progress.judged)} judged of {len(progress.chosen)} chosen of {counted(growth.n_pool, 'pair')}",
            *(f"{number} {docno}" for number, docno in pairs),
        ]
        self.answer("\n".join(lines), facts)


class SampleGrowing(TouchstoneCommand):
    help = "Write a stratified pool with the grades of a snapshot, for `evaluate --judgments stratified`."
    examples = ("touchstone growing_pool sample bees sample 2026-11 -o sample.prels",)
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: the pool is no random sample, and feeds no sampled measure"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_pool(parser)
        parser.add_argument("snapshot", help="the snapshot by its name")
        files.add_output(parser)

    def handle(
        self, *, collection: str, pool: str, snapshot: str, output: str | None, force: bool, **_: object
    ) -> None:
        target: Path | None = files.checked_output(output, force=force)
        here = collection_named(collection)
        with _refusals():
            rows, missing = sample_rows(_last_portion(here, pool), snapshot_named(here, snapshot))
        write_text(stratified_text(rows, missing=missing), target, self.stdout, force=force)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"new": NewGrowing, "show": ShowGrowing, "next": NextGrowing, "sample": SampleGrowing}
)


def _add_pool(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("pool", help="the pool by its name, without the number of a portion")


def _last_portion(collection: Collection, series: str) -> Pool:
    portions = portions_of(collection, series)
    if not portions:
        raise MisuseError(f"There is no pool {series} that grows in this collection.")
    return portions[-1]


def _answer(pool: Pool, *, dry_run: bool) -> tuple[str, dict[str, Any]]:
    words = f"{'would be stored' if dry_run else 'stored'}: {pool.name}, {counted(pool.n_pairs, 'pair')}"
    return words, {"name": pool.name, "pairs": pool.n_pairs, "origin": pool.origin, "stored": not dry_run}


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except FormatError as error:
        raise RefusedError("nothing was stored.", problems=error.problems) from error
    except (GrowingError, PackedError, ValueError) as error:
        raise RefusedError(str(error)) from error
