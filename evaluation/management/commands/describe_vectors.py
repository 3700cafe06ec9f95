"""Figures of the space that vectors lie in, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.progress import Progress
from evaluation.engine.space.description import Resemblance, describe, resemble
from evaluation.formats.space import as_facts, as_table
from evaluation.formats.vectors.id_pairs import read_id_pairs
from evaluation.management.command_options import engine_errors
from evaluation.management.vector_files import VECTOR_FORMS, file_errors, read_vector_file

K, SEED = 10, 42


class Command(TouchstoneCommand):
    help = (
        "Describe the space that vectors lie in: isotropy, uniformity, alignment, collapse, hubness; "
        "and how alike two models place the same texts. docs/space.md says what the figures mean."
    )
    examples = (
        "touchstone describe_vectors docs.f32.npy",
        "touchstone describe_vectors docs.parquet --pairs duplicates.txt --json",
        "touchstone describe_vectors small.npy --against large.npy --k 20",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "described", REFUSED: "refused: a file has problems, or there are too few vectors"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("vectors", help=VECTOR_FORMS)
        parser.add_argument("--ids", metavar="FILE", help="their ids, one a line, if not beside them")
        parser.add_argument("--pairs", metavar="FILE", help="two ids a line that belong together, for the alignment")
        parser.add_argument("--against", metavar="FILE", help="vectors of another model of texts with the same ids")
        parser.add_argument("--against-ids", metavar="FILE", help="their ids, if not beside them")
        parser.add_argument("--k", type=int, default=K, metavar="N", help="neighbours of each; %(default)s")
        parser.add_argument("--seed", type=int, default=SEED, help="for the pairs of many rows; %(default)s")

    def handle(
        self,
        *,
        vectors: str,
        ids: str | None,
        pairs: str | None,
        against: str | None,
        against_ids: str | None,
        k: int,
        seed: int,
        **_options: object,
    ) -> None:
        if k < 1 or seed < 0:
            raise MisuseError("--k is at least 1, and --seed at least 0.")
        names, vector = read_vector_file(vectors, ids, zero_rows=False)
        together = None
        if pairs:
            with file_errors(pairs):
                together = read_id_pairs(Path(pairs), names)
        bar = Progress(self.stderr)
        with engine_errors():
            other = read_vector_file(against, against_ids, zero_rows=False) if against else None
            resemblance = self._resemblance(names, vector, other, k) if other else None
            description = describe(
                vector,
                names,
                k=k,
                pairs=together,
                rng=np.random.default_rng(seed),
                progress=lambda done, total: bar(done, total, "neighbours"),
            )
        bar.end()
        self.answer(as_table(description, resemblance), as_facts(description, resemblance))

    def _resemblance(
        self, names: list[str], vector: np.ndarray, other: tuple[list[str], np.ndarray], k: int
    ) -> Resemblance:
        """Over the ids that both have; says how many others there are."""
        place = {name: row for row, name in enumerate(other[0])}
        rows = [row for row, name in enumerate(names) if name in place]
        if alone := len(names) + len(place) - 2 * len(rows):
            self.stderr.write(f"{alone} ids are in one file alone and do not count")
        both = [names[row] for row in rows]
        return resemble(vector[rows], other[1][[place[name] for name in both]], both, k=k)
