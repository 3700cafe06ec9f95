"""Qrels and runs from a file of any form, as the scorer reads them; runs told apart, and from other topics."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TypeVar

from annotation.formats.file_formats import UNRECOGNISED, FileFormat, recognise_format
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import FORMATS as QRELS_FORMATS
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.run import FORMATS as RUN_FORMATS

PACKED_ENDINGS, JSON_ENDINGS = (".gz",), (".json", ".jsonl")  # that are no part of a run's name
EXAMPLES = 3  # topics named of files that share none

Table = TypeVar("Table")


def parse_packed(stream: BinaryIO, problems: Problems, *, tag: str = "") -> PackedRun:
    """A run in any format that imports read, by the tag that is chosen; one without a tag is called as its file is."""
    run = _read_any(RUN_FORMATS, stream, problems).packed
    if tag:
        return replace(run, tag=tag)
    if run.tag:
        return run
    tag = _tag_of(problems.file)
    problems.note(0, f"there is no tag in the file: the run is called {tag}")
    return replace(run, tag=tag)


def parse_judged(stream: BinaryIO, problems: Problems) -> Qrels:
    """Ordinary qrels in any format that imports read."""
    return Qrels.of_table(_read_any(QRELS_FORMATS, stream, problems))


def with_distinct_tags(runs: Sequence[PackedRun]) -> Iterator[PackedRun]:
    """Many tools write one tag into every run: a second one is called `tag (2)`, which no tag of a file can be."""
    counts: dict[str, int] = {}
    for run in runs:
        counts[run.tag] = counts.get(run.tag, 0) + 1
        yield run if counts[run.tag] == 1 else replace(run, tag=f"{run.tag} ({counts[run.tag]})")


def shares_no_topic(title: str, run: PackedRun, qrels: str, numbers: Sequence[str]) -> str:
    """Why a run without a topic of the judgments is refused, whose zeros would say nothing of it; empty for others.

    `title` and `qrels` are what the run and the judgments are called, which have the topics `numbers`.
    """
    if not set(numbers).isdisjoint(run.numbers):
        return ""
    topics = f"the run has {_examples(run.numbers)}, the judgments have {_examples(numbers)}"
    return f"{title} and {qrels} have no topic in common: {topics}."


def _examples(numbers: Sequence[str]) -> str:
    return ", ".join(numbers[:EXAMPLES]) + (" …" if len(numbers) > EXAMPLES else "")


def _read_any(formats: Sequence[FileFormat[Table]], stream: BinaryIO, problems: Problems) -> Table:
    """In the only format that the content fits. Raises `FormatError` where more than one fits, and where none does:
    then with what is wrong with each line of it as the first of the formats, TREC's."""
    try:
        file_format, _ = recognise_format(formats, stream, problems)
    except FormatError as fault:
        if not fault.problems[-1].reason.startswith(UNRECOGNISED):
            raise
        file_format = formats[0]
    return file_format.read(stream, problems, {})


def _tag_of(title: str) -> str:
    """The name of a file as a tag, without white space: runs of pytrec_eval and ranx name none."""
    name = Path(title).name
    for endings in (PACKED_ENDINGS, JSON_ENDINGS):
        name = next((name.removesuffix(end) for end in endings if name.endswith(end)), name)
    return "_".join(name.split()) or "run"
