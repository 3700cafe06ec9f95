"""What commands that bring in files share: columns by name, and problems with the options that answer them."""

import argparse
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import Problem
from annotation.kernel.commands.base import MisuseError, RefusedError

OPTIONS: Mapping[str, str] = MappingProxyType(
    {  # what a reason says: the option that answers it
        ": choose which": "--format NAME says what to read the file as",
        "choose which part is its title": "--columns title=… narrative=… says which part of a topic is what",
        "is recognised: choose one of": "--columns MEANING=COLUMN says which column it is",
        "is already here with another text": "--on-conflict version stores the new text, skip leaves it aside",
        "other vectors of the": "vectors delete makes room; --model gives the model another name",
        "this form has no ids": "--ids FILE says where they are",
        "another run with the tag": "--tag gives the run another tag",
        "say what the run is called": "--tag says it",
        "above the collection's scale": "--grades MAP says what grades are worth here",
        "the collection has no ": "--unknown skip leaves such rows aside",
        "another snapshot called": "--name gives the snapshot another name",
        "there are clicks called": "--name gives the clicks another name",
        "a pool called": "--name gives the pool another name",
        "another batch called": "--name gives the batch another name",
        "came with earlier judgments": "--annotators same or --annotators new says which",
        "short name": "--as gives it a short name",
    }
)


def add_columns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        nargs="+",
        action="extend",
        default=[],
        metavar="MEANING=COLUMN",
        help="which column or key of the file holds what, where its name does not say so: docno=passage",
    )


def columns_of(pairs: list[str]) -> dict[str, str]:
    """`["docno=passage"]` → `{"docno": "passage"}`."""
    columns = dict(pair.partition("=")[::2] for pair in pairs)
    if not all(columns) or not all(columns.values()):
        raise MisuseError("--columns takes MEANING=COLUMN, as in docno=passage.")
    return columns


def refuse_problems(problems: Iterable[Mapping[str, Any]], n_problems: int) -> None:
    """Ends the command if there are any."""
    rows = [Problem(**problem) for problem in problems]
    if n_problems:
        message = f"{n_problems} problem{'s' if n_problems > 1 else ''}; nothing was stored."
        raise RefusedError(message, problems=rows, advice=advice(row.reason for row in rows))


def advice(reasons: Iterable[str]) -> list[str]:
    """A line for each option that would answer one of the reasons."""
    texts = list(reasons)
    return [option for words, option in OPTIONS.items() if any(words in reason for reason in texts)]
