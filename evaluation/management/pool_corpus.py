"""The part of `pool` that brings in documents out of a corpus that stays outside."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotation.exchange.steps.importing import bring_documents, sweep_imports
from annotation.formats.problems import Problems
from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.kernel.commands.importing import add_columns, columns_of, refuse_problems
from annotation.kernel.commands.progress import Progress
from annotation.kernel.jobs import JobRefusedError
from annotation.models import Collection


def add_corpus(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="FILE",
        help="a corpus that stays outside, JSONL or a BEIR folder: documents of the pool that are not here yet, and no "
        "others, are brought in from it. Goes with --run and with a file of --pairs",
    )
    parser.add_argument(
        "--corpus-index",
        type=Path,
        metavar="FILE",
        help="where in the corpus each document stands; made when it is first wanted (default: beside the corpus)",
    )
    add_columns(parser)


def bring_pooled(collection: Collection, docnos: Iterable[str], options: dict[str, Any], watch: Progress) -> int:
    """How many documents came in. Raises `RefusedError` and `FormatError` with what is wrong in the corpus."""
    from annotation.formats.documents.corpus_index import corpus_file, open_index

    corpus = corpus_file(options["corpus"])
    problems = Problems(corpus.name)
    try:
        index = open_index(
            corpus,
            problems,
            index=options["corpus_index"],
            columns=columns_of(options["columns"]),
            watch=lambda done, total: watch(done, total, "Look where documents stand"),
        )
        filename = f"documents of {options['name']} from {corpus.name}"
        record = bring_documents(
            collection,
            index,
            docnos,
            need_all=options["unknown"] == "refuse",
            filename=filename,
            created_by=None,
            watch=watch,
        )
    except JobRefusedError as error:
        raise RefusedError(str(error)) from error
    except OSError as fault:
        raise MisuseError(f"{fault.filename or corpus}: {fault.strerror}") from fault
    finally:
        watch.end()
        sweep_imports()
    if record is None:
        return 0
    refuse_problems(record.problems, record.n_problems)
    return record.document_versions.count()
