"""Vectors of a collection: listed, searched, described, compared, deleted. `import vectors` brings them in."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.group import GroupCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    cleaned,
    collection_named,
    snapshot_named,
    trial,
)
from annotation.kernel.commands.progress import Progress
from annotation.kernel.jobs import work_here
from annotation.models import Collection, Job
from evaluation.formats.reference import as_table
from evaluation.formats.values import aligned
from evaluation.management.comparison_options import add_comparison
from evaluation.management.vector_files import file_errors
from evaluation.models import VectorSet
from evaluation.runs.read import runs_of
from evaluation.vectors.forms import ModelComparisonForm, VectorSearchForm
from evaluation.vectors.pages.findings import figure_lines, verdict
from evaluation.vectors.pages.reference_model import conclusion
from evaluation.vectors.read import comparisons_of, newest_description, vectors_named, vectors_of
from evaluation.vectors.steps.comparing import COMPARE, comparison_payload
from evaluation.vectors.steps.deletion import VectorsUsedError, delete_vectors
from evaluation.vectors.steps.describing import DESCRIBE, description_payload
from evaluation.vectors.steps.searching import DEPTH, SEARCH, SEED, search_payload

FACTS = ("model", "side", "similarity", "n_rows", "dim", "numbers", "n_unknown", "n_missing", "sha256")


class ListVectors(TouchstoneCommand):
    help = "List the sets of vectors of a collection."
    examples = ("touchstone vectors list bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        sets = vectors_of(collection_named(collection))
        facts = [{name: getattr(one, name) for name in FACTS} for one in sets]
        names = FACTS[:5]
        rows = [[str(each[name]) for name in names] for each in facts]
        self.answer("\n".join(aligned([list(names), *rows], n_names=3)) if rows else "no vectors", facts)


class SearchInto(TouchstoneCommand):
    help = "Find the nearest documents of each query with the vectors of a model, exactly, and store them as a run."
    examples = (
        "touchstone vectors search bees e5 --tag e5-exact",
        "touchstone vectors search bees e5 --tag e5-inner --similarity inner --depth 100 --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "stored, or with --dry-run: could be searched", REFUSED: "refused: nothing was stored"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("model", help="whose vectors of queries and documents are searched")
        parser.add_argument("--tag", required=True, help="what the run is called")
        parser.add_argument(
            "--similarity", choices=VectorSet.Similarity.values, default="", help="default: what they are meant for"
        )
        parser.add_argument(
            "--depth", type=int, default=DEPTH, metavar="N", help="documents of each query; %(default)s"
        )
        parser.add_argument("--exclude-self", action="store_true", help="a document with the id of its query stays out")
        parser.add_argument("--sample", type=int, metavar="N", help="queries drawn at random; all, if not given")
        parser.add_argument("--seed", type=int, default=SEED, help="of the queries drawn; %(default)s")
        add_dry_run(parser)

    def handle(
        self,
        *,
        collection: str,
        model: str,
        tag: str,
        similarity: str,
        depth: int,
        exclude_self: bool,
        sample: int | None,
        seed: int,
        dry_run: bool,
        **_options: object,
    ) -> None:
        target = collection_named(collection)
        for name, value in (("tag", tag), ("depth", depth), ("sample", sample), ("seed", seed)):
            cleaned(VectorSearchForm, name, value, f"--{name}")
        chosen: dict[str, Any] = {"similarity": similarity, "depth": depth, "exclude_self": exclude_self}
        try:
            payload = search_payload(target, model=model, tag=tag, **chosen, sample=sample, seed=seed)
        except ValueError as reason:
            raise RefusedError(str(reason)) from reason
        facts: dict[str, object] = {"tag": tag, "model": model, **chosen, "similarity": payload["similarity"]}
        if dry_run:
            self.answer(f"{tag}: could be searched", {**facts, "stored": False})
            return
        _work(self, SEARCH, target, payload)
        run = runs_of(target).get(tag=tag)
        words = f"stored: {tag}, {run.n_rows} rows of {run.n_topics} topics"
        self.answer(
            words, {**facts, "stored": True, "n_topics": run.n_topics, "n_rows": run.n_rows, "sha256": run.sha256}
        )


class DescribeSpace(TouchstoneCommand):
    help = (
        "Describe the space that the vectors of a collection lie in, as its page shows it. docs/space.md says what the "
        "figures mean. What was found before from the same files is not computed again."
    )
    examples = (
        "touchstone vectors describe bees e5 documents",
        "touchstone vectors describe bees e5 queries --snapshot official --json",
        "touchstone vectors describe bees e5 documents --against small",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "described", REFUSED: "refused: there are too few or too many vectors"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        _add_set(parser)
        parser.add_argument("--snapshot", help="of judgments, for the alignment of queries with relevant documents")
        parser.add_argument("--pairs", metavar="FILE", help="two ids a line that belong together, for it instead")
        parser.add_argument("--classes", metavar="FILE", help="an id and its class a line, for it instead")
        parser.add_argument(
            "--against", metavar="MODEL", default="", help="another model: neighbours that both share, linear CKA"
        )
        add_dry_run(parser)

    def handle(
        self, *, collection: str, model: str, side: str, snapshot: str | None, dry_run: bool, **options: Any
    ) -> None:
        target = collection_named(collection)
        vectors = _set_named(target, side, model)
        chosen = snapshot_named(target, snapshot) if snapshot else None
        together = {name: _text(options[name]) if options[name] else "" for name in ("pairs", "classes")}
        if all(together.values()):
            raise MisuseError("Give --pairs or --classes, not both.")
        try:
            payload = description_payload(vectors, chosen, **together, against=options["against"])
        except ValueError as reason:
            raise MisuseError(str(reason)) from reason
        if not dry_run:
            _work(self, DESCRIBE, target, payload)
        stored = newest_description(vectors)
        if stored is None:
            self.answer("not described yet", {"figures": None})
            return
        sentence = verdict(stored.figures)
        rows = [[line.title, line.value] for line in figure_lines(stored.figures)]
        words = "\n".join([sentence, "", *aligned(rows, n_names=1)])
        self.answer(words, {"verdict": sentence, "figures": stored.figures, "rests_on": stored.rests_on})


class CompareModels(TouchstoneCommand):
    help = (
        "Set models beside a reference model on the vectors of a collection, as its page does; or beside target "
        "similarities. docs/reference.md says what the figures mean. Nothing is compared twice."
    )
    examples = (
        "touchstone vectors compare bees large small tiny",
        "touchstone vectors compare bees large small --documents-alone --k 1 10 --json",
        "touchstone vectors compare bees large small --pairs sts.txt",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "compared, or with --dry-run: could be", REFUSED: "refused: the models cannot be compared"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("reference", help="the model whose nearest documents take the place of judgments")
        parser.add_argument("models", nargs="+", metavar="model", help="those beside it")
        parser.add_argument("--documents-alone", action="store_true", help="documents are the queries, too")
        add_comparison(parser, similarity="")
        add_dry_run(parser)

    def handle(self, *, collection: str, pairs: str | None, dry_run: bool, **options: Any) -> None:
        target = collection_named(collection)
        names = ("reference", "models", "documents_alone", "similarity", "queries", "k", "documents", "test")
        asked = {name: options[name] for name in (*names, "correction", "seed")}
        for name in ("queries", "documents", "seed"):
            cleaned(ModelComparisonForm, name, asked[name], f"--{name}")
        try:
            payload = comparison_payload(target, **asked, pairs=_text(pairs) if pairs else "")
        except ValueError as reason:
            raise RefusedError(str(reason)) from reason
        if dry_run:
            self.answer("could be compared", {"stored": False, "models": payload["names"], **payload["asked"]})
            return
        result = _work(self, COMPARE, target, payload)
        stored = comparisons_of(target).get(pk=result["comparison"])
        words = "\n".join([*conclusion(stored.facts), "", as_table(stored.facts)])
        self.answer(words, {"comparison": stored.pk, "conclusion": conclusion(stored.facts), **stored.facts})


class DeleteVectors(TouchstoneCommand):
    help = "Delete vectors with which no run was searched."
    examples = ("touchstone vectors delete bees e5 documents --dry-run",)
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "deleted, or with --dry-run: could be", REFUSED: "refused: something was made with them"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        _add_set(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, model: str, side: str, dry_run: bool, **_options: object) -> None:
        vectors = _set_named(collection_named(collection), side, model)
        facts = {name: getattr(vectors, name) for name in FACTS}
        try:
            with trial(dry_run=dry_run):
                delete_vectors(vectors, actor=None)
        except VectorsUsedError as reason:
            raise RefusedError(str(reason)) from reason
        done = "could be deleted" if dry_run else "deleted"
        self.answer(f"{done}: {vectors}", {**facts, "deleted": not dry_run})


class Command(GroupCommand):
    help = "Vectors of a collection: list, search, describe, compare and delete them."
    deeds = {
        "list": ListVectors,
        "search": SearchInto,
        "describe": DescribeSpace,
        "compare": CompareModels,
        "delete": DeleteVectors,
    }


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="what the model is called")
    parser.add_argument("side", choices=VectorSet.Side.values, help="whose vectors")


def _set_named(collection: Collection, side: str, model: str) -> VectorSet:
    vectors = vectors_named(collection, side, model)
    if vectors is None:
        raise MisuseError(f"There are no vectors of {model} for the {side} in this collection.")
    return vectors


def _text(file: str) -> str:
    with file_errors(file):
        try:
            return Path(file).read_bytes().decode()
        except UnicodeDecodeError as fault:
            raise RefusedError(f"{file}: it is no text in UTF-8.") from fault


def _work(
    command: TouchstoneCommand, kind: str, collection: Collection, payload: Mapping[str, object]
) -> dict[str, Any]:
    """The result of the job."""
    watch = Progress(command.stderr)
    try:
        job = work_here(kind, collection=collection, created_by=None, watch=watch, **payload)
    finally:
        watch.end()
    if job.state != Job.State.DONE:
        raise RefusedError(job.error or f"The job ended as {job.state}.")
    result: dict[str, Any] = job.result
    return result
