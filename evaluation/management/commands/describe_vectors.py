"""Figures of the space that vectors lie in, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.progress import Progress
from evaluation.engine.arrays import Ints
from evaluation.engine.qrels import Qrels
from evaluation.engine.space.description import Resemblance, describe, resemble_by_id
from evaluation.engine.space.uniformity import alignment_across
from evaluation.formats.space import as_facts, as_table
from evaluation.formats.vectors.id_pairs import CLASS_ROWS, parse_class_pairs, parse_id_pairs
from evaluation.management.command_options import engine_errors
from evaluation.management.files import read_qrels
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
        "touchstone describe_vectors docs.npy --queries queries.npy --qrels qrels.txt",
        "touchstone describe_vectors small.npy --against large.npy --k 20",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "described", REFUSED: "refused: a file has problems, or there are too few vectors"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("vectors", help=VECTOR_FORMS)
        parser.add_argument("--ids", metavar="FILE", help="their ids, one a line, if not beside them")
        together = parser.add_mutually_exclusive_group()
        together.add_argument("--pairs", metavar="FILE", help="two ids a line that belong together, for the alignment")
        together.add_argument(
            "--classes",
            metavar="FILE",
            help=f"an id and its class a line: all pairs within, of the first {CLASS_ROWS} of each",
        )
        together.add_argument(
            "--qrels", metavar="FILE", help="of --queries with their relevant documents, grade 1 or more"
        )
        parser.add_argument("--queries", metavar="FILE", help="vectors of queries, with --qrels")
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
        classes: str | None,
        qrels: str | None,
        queries: str | None,
        against: str | None,
        against_ids: str | None,
        k: int,
        seed: int,
        **_options: object,
    ) -> None:
        if k < 1 or seed < 0 or bool(qrels) != bool(queries):
            raise MisuseError("--k is at least 1, --seed at least 0; --qrels and --queries go together.")
        names, vector = read_vector_file(vectors, ids, zero_rows=False)
        together = _pairs(names, pairs, classes)
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
            if qrels and queries:
                aligned = _alignment(read_qrels(qrels, self.stderr), read_vector_file(queries), (names, vector))
                description = replace(description, alignment=aligned)
        bar.end()
        if description.hubness is None:
            self.stderr.write(f"no hubness: the {k} nearest of each take more than {k} vectors")
        self.answer(as_table(description, resemblance), as_facts(description, resemblance))

    def _resemblance(
        self, names: list[str], vector: np.ndarray, other: tuple[list[str], np.ndarray], k: int
    ) -> Resemblance:
        """Over the ids that both have; says how many others there are."""
        resemblance = resemble_by_id(vector, names, other[1], other[0], k=k)
        if alone := len(names) + len(other[0]) - 2 * resemblance.n_rows:
            self.stderr.write(f"{alone} ids are in one file alone and do not count")
        return resemblance


def _pairs(names: list[str], pairs: str | None, classes: str | None) -> tuple[Ints, Ints] | None:
    """Rows that belong together, by the file that says so."""
    file = pairs or classes
    if not file:
        return None
    parse = parse_id_pairs if pairs else parse_class_pairs
    with file_errors(file), Path(file).open("rb") as stream:
        return parse(stream, Problems(Path(file).name), names)


def _alignment(qrels: Qrels, queries: tuple[list[str], np.ndarray], documents: tuple[list[str], np.ndarray]) -> float:
    """Of the pairs of grade 1 or more that have both vectors."""
    row, column = ({name: at for at, name in enumerate(names)} for names, _ in (queries, documents))
    relevant = [pair for pair, grade in qrels.grade_by_pair().items() if grade >= 1]
    pairs = [(row[number], column[docno]) for number, docno in relevant if number in row and docno in column]
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    return alignment_across(queries[1], documents[1], first, second)
