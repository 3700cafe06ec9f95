"""Models beside a reference model, from files of vectors: nothing is stored."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.comparison import Design
from evaluation.engine.reference.comparison import Plan
from evaluation.engine.reference.models import Model
from evaluation.engine.vectors.exact import Similarity
from evaluation.formats import reference as formats
from evaluation.formats.compared_models import facts_beside_reference, facts_beside_targets
from evaluation.formats.names import safe_name
from evaluation.management.command_options import checked_folder, engine_errors
from evaluation.management.comparison_options import add_comparison
from evaluation.management.model_files import MODEL_FORMS, read_models
from evaluation.management.vector_files import file_errors

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
        add_comparison(parser, similarity="cosine")
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

        def progress(done: int, total: int) -> None:
            bar(done, total, f"{done} of {total} models")

        with engine_errors():
            facts = facts_beside_reference(every, plan, design, seed=seed, progress=progress)
        bar.end()
        if facts["n_alone"]:
            self.stderr.write(f"{facts['n_alone']} ids are not in every model and do not count")
        _write(facts, folder)
        self.answer(formats.as_table(facts), facts)

    def _beside_targets(
        self, pairs: Path, every: Sequence[Model], similarity: Similarity, design: Design, seed: int
    ) -> None:
        with engine_errors(), file_errors(str(pairs)), pairs.open("rb") as stream:
            facts = facts_beside_targets(every, stream, Problems(pairs.name), similarity, design, seed=seed)
        self.answer(formats.as_table(facts), facts)


def _write(facts: formats.Facts, folder: Path | None) -> None:
    """What was there under these names is replaced."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for one in facts["models"]:
        written([formats.as_csv(one).encode()], folder / f"{safe_name(one['model'])}.csv", force=True)
    formats.plot_by_cutoff(facts, folder / PLOT)
