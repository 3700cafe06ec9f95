"""Models beside a reference model, from files of vectors: nothing is stored."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_args

import numpy as np

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.comparison import Design
from evaluation.engine.reference.comparison import Plan, ReferenceComparison, compare_with_reference, paired_tests
from evaluation.engine.reference.models import Model
from evaluation.engine.reference.similarities import NAMES
from evaluation.engine.reference.targets import compare_with_targets, paired_errors
from evaluation.engine.reference.top_k import measures_at
from evaluation.engine.significance.all_pairs import TESTS
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.vectors.exact import Similarity
from evaluation.formats import reference as formats
from evaluation.formats.names import safe_name
from evaluation.formats.vectors.id_pairs import read_target_pairs
from evaluation.management.command_options import checked_folder, engine_errors
from evaluation.management.model_files import MODEL_FORMS, read_models
from evaluation.management.vector_files import file_errors

PLAN, DESIGN, SEED = Plan(), Design(), 42
PLOT = "metrics_vs_k.png"


class Command(TouchstoneCommand):
    help = (
        "Set models of embeddings beside a reference model: how many of its nearest documents they find, at which "
        "ranks, and how alike they score; or beside the similarities that pairs should have. docs/reference.md says "
        "what the figures mean."
    )
    examples = (
        "touchstone compare_embeddings large.npy small.npy tiny.npy --queries 500 --k 1 3 5 10 --seed 42 --out beside",
        "touchstone compare_embeddings large/ small/ --similarity inner --json",
        "touchstone compare_embeddings large.npy small.npy --pairs sts.txt",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "compared", REFUSED: "refused: a file has problems, or the models cannot be compared"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("reference", help=MODEL_FORMS)
        parser.add_argument("models", nargs="+", metavar="model", help="the same, with the same ids")
        parser.add_argument(
            "--queries", type=int, default=PLAN.n_queries, metavar="N", help="queries drawn; %(default)s"
        )
        parser.add_argument("--k", type=int, nargs="+", default=list(PLAN.cutoffs), help="cutoffs; 1 3 5 10")
        parser.add_argument(
            "--documents",
            type=int,
            default=PLAN.n_documents,
            metavar="N",
            help="documents drawn, whose similarities to each query are compared; %(default)s",
        )
        parser.add_argument("--similarity", choices=get_args(Similarity), default="cosine", help="default: %(default)s")
        parser.add_argument(
            "--pairs", metavar="FILE", help="two ids and a similarity a line: what all models are compared with"
        )
        parser.add_argument("--test", choices=TESTS, default=DESIGN.test, help="of models; default: %(default)s")
        parser.add_argument(
            "--correction", choices=get_args(Correction), default=DESIGN.correction, help="default: %(default)s"
        )
        parser.add_argument("--seed", type=int, default=SEED, help="of all that is drawn; %(default)s")
        parser.add_argument("--out", metavar="FOLDER", help=f"write a CSV for each model there, and {PLOT}")

    def handle(
        self, *, reference: str, models: list[str], similarity: str, pairs: str | None, seed: int, **options: Any
    ) -> None:
        if seed < 0:
            raise MisuseError("--seed is at least 0.")
        if pairs and options["out"]:
            raise MisuseError("--out writes what is compared by rank; with --pairs there are no ranks.")
        with engine_errors(MisuseError):
            cutoffs = tuple(sorted(set(options["k"])))
            plan = Plan(options["queries"], cutoffs, options["documents"], cast("Similarity", similarity))
            design = Design(test=options["test"], correction=options["correction"])
        folder = checked_folder(options["out"])
        every = read_models([reference, *models], zero_rows=similarity != "cosine")
        if pairs:
            self._beside_targets(Path(pairs), every, plan.similarity, design, seed)
        else:
            self._beside_reference(every, plan, design, seed, folder)

    def _beside_reference(
        self, every: Sequence[Model], plan: Plan, design: Design, seed: int, folder: Path | None
    ) -> None:
        bar = Progress(self.stderr)
        with engine_errors():
            compared = compare_with_reference(
                every[0],
                every[1:],
                plan,
                rng=np.random.default_rng(seed),
                progress=lambda done, total: bar(done, total, f"{done} of {total} models"),
            )
            measures = (*measures_at(plan.cutoffs[-1]), *NAMES)
            each = {name: paired_tests(compared, name, design, seed=seed) for name in measures}
        bar.end()
        tests = {name: one for name, one in each.items() if one}
        if compared.n_alone:
            self.stderr.write(f"{compared.n_alone} ids are not in every model and do not count")
        _write(compared, folder)
        names = [one.name for one in compared.models]
        words = formats.as_table(compared) + _in_words(names, tests, design)
        self.answer(words, formats.as_facts(compared, tests))

    def _beside_targets(
        self, pairs: Path, every: Sequence[Model], similarity: Similarity, design: Design, seed: int
    ) -> None:
        sides = [set.intersection(*(set(ids(one)) for one in every)) for ids in (_queries, _documents)]
        with file_errors(str(pairs)):
            first, second, target = read_target_pairs(pairs, sides[0], sides[1])
        rows = [(_rows(one.query_ids, first), _rows(one.docno, second)) for one in every]
        with engine_errors():
            compared = compare_with_targets(every, rows, target, similarity, seed=seed)
            tested = paired_errors(compared, design, seed=seed)
        tests = {"MAE": tested} if tested else {}
        names = [one.name for one in compared.models]
        words = formats.targets_as_table(compared) + _in_words(names, tests, design)
        self.answer(words, formats.targets_as_facts(compared, tests))


def _queries(model: Model) -> list[str]:
    return model.query_ids


def _documents(model: Model) -> list[str]:
    return model.docno


def _rows(ids: list[str], wanted: list[str]) -> np.ndarray:
    place = {name: row for row, name in enumerate(ids)}
    return np.array([place[name] for name in wanted], np.int64)


def _in_words(names: Sequence[str], tests: formats.Tests, design: Design) -> str:
    if not tests:
        return ""
    return f"\n\n{design.test} test, {design.correction}:\n{formats.tests_as_table(names, tests)}"


def _write(compared: ReferenceComparison, folder: Path | None) -> None:
    """What was there under these names is replaced."""
    if folder is None:
        return
    for one in compared.models:
        written([formats.as_csv(compared, one).encode()], folder / f"{safe_name(one.name)}.csv", force=True)
    formats.plot_by_cutoff(compared, folder / PLOT)
