"""Whether a window of vectors or scores has drifted from a reference, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from evaluation.engine.drift.description import ALPHA, DIRECTIONS, MOST_SAMPLE, PERMUTATIONS, SAMPLE, drift
from evaluation.formats.drift import drift_as_facts, drift_as_words
from evaluation.formats.log.series import read_scores
from evaluation.management.command_options import engine_errors
from evaluation.management.vector_files import VECTOR_FORMS, file_errors, read_vector_file

SEED = 42


class Command(TouchstoneCommand):
    help = (
        "Say whether a window of vectors or scores has drifted from a reference: centroid shift, MMD, energy distance, "
        "sliced Wasserstein, Kolmogorov–Smirnov, PSI, a classifier. docs/drift.md says what the figures mean."
    )
    examples = (
        "touchstone describe_drift january.npy february.npy",
        "touchstone describe_drift january.parquet february.parquet --sample 3000 --json",
        "touchstone describe_drift january.csv february.csv --scores score",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "described, drifted or not", REFUSED: "refused: a file has problems, or there are too few rows"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("reference", help=f"{VECTOR_FORMS}; with --scores CSV, TSV, JSONL or Parquet")
        parser.add_argument("window", help="the same, of later")
        parser.add_argument("--ids", metavar="FILE", help="ids of the reference, one a line, if not beside it")
        parser.add_argument("--window-ids", metavar="FILE", help="those of the window")
        parser.add_argument("--scores", metavar="COLUMN", help="compare this column of both tables, not vectors")
        parser.add_argument(
            "--sample",
            type=int,
            default=SAMPLE,
            metavar="N",
            help=f"rows of a side, at most {MOST_SAMPLE}; %(default)s",
        )
        parser.add_argument(
            "--permutations", type=int, default=PERMUTATIONS, metavar="N", help="99 to 9999; %(default)s"
        )
        parser.add_argument("--directions", type=int, default=DIRECTIONS, metavar="N", help="1 to 500; %(default)s")
        parser.add_argument("--alpha", type=float, default=ALPHA, help="level of all tests together; %(default)s")
        parser.add_argument("--seed", type=int, default=SEED, help="of all that is drawn; %(default)s")

    def handle(self, *, reference: str, window: str, seed: int, **options: Any) -> None:
        if seed < 0:
            raise MisuseError("--seed is at least 0.")
        ids = (options["ids"], options["window_ids"])
        sides = [_read(name, of, options["scores"]) for name, of in zip((reference, window), ids, strict=True)]
        with engine_errors():
            description = drift(
                *sides,
                seed=seed,
                sample=options["sample"],
                n_permutations=options["permutations"],
                n_directions=options["directions"],
                alpha=options["alpha"],
            )
        self.answer(drift_as_words(description), drift_as_facts(description))


def _read(name: str, ids: str | None, scores: str | None) -> NDArray[np.floating]:
    if scores is None:
        return read_vector_file(name, ids)[1]
    if ids:
        raise MisuseError("--scores takes a column of tables, which have no ids.")
    with file_errors(name):
        return read_scores(Path(name), Problems(Path(name).name), scores)
