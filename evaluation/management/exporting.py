"""A run of a collection as a command."""

import argparse
from typing import Any

from annotation.kernel.commands.base import MisuseError
from annotation.kernel.commands.exporting import ExportCommand
from annotation.kernel.files import Outgoing
from annotation.models import Collection
from evaluation.models import Run
from evaluation.runs.read import RUN_FORMS, outgoing_run, runs_of


class ExportRun(ExportCommand):
    help = "Write a run. Rows of equal scores are in the order of the file that was imported."
    formats = RUN_FORMS
    examples = (
        "touchstone export run bees bm25 > bm25.run",
        "touchstone export run bees bm25 --format gzip -o bm25.run.gz",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("tag", help="the tag of the run")

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        return outgoing_run(_run(collection, options["tag"]), form)


def _run(collection: Collection, tag: str) -> Run:
    run = runs_of(collection).filter(tag=tag).first()
    if run is None:
        raise MisuseError(f"There is no run {tag} in this collection.")
    return run
