"""Commands as a shell runs them, in this process: what they write and how they end."""

import argparse
import io
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class

from annotation.kernel.commands.base import JSON, PROGRAM, TouchstoneCommand
from annotation.kernel.commands.group import GroupCommand

OUR_APPS = ("annotation", "evaluation", "touchstone")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def facts(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The error for a program: the last line of the standard error."""
        return json.loads(self.err.splitlines()[-1])


def ran(*words: str) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("annotation.kernel.commands.base.close_connections", lambda: None)
        patch.setattr(TouchstoneCommand, "check", lambda *_args, **_options: None)
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        command = command_named(words[0])
        patch.setattr(command, "create_parser", lambda *_: _parser_as_run(words[0], for_a_program=JSON in words[1:]))
        try:
            command.run_from_argv(["manage.py", *words])
        except SystemExit as end:
            return Ended(int(end.code or 0), out.getvalue(), err.getvalue())
    return Ended(0, out.getvalue(), err.getvalue())


@cache
def _parser_as_run(name: str, *, for_a_program: bool) -> argparse.ArgumentParser:
    """Made once: a run makes that of all deeds of a command, and tests run some deeds a dozen times."""
    command = command_named(name)
    command._called_from_command_line = not for_a_program
    parser: argparse.ArgumentParser = command.create_parser("manage.py", name)
    return parser


def our_commands() -> list[str]:
    return sorted(name for name, app in get_commands().items() if app in OUR_APPS)


def command_named(name: str) -> TouchstoneCommand:
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, TouchstoneCommand), f"{name} has not the habit of our commands"
    return command


@cache
def parser_of(name: str) -> argparse.ArgumentParser:
    """Of a command, for reading alone: one of many deeds takes long to make."""
    parser: argparse.ArgumentParser = command_named(name).create_parser(PROGRAM, name)
    return parser


def deeds() -> Iterator[tuple[str, TouchstoneCommand]]:
    """Everything that a command does: `evaluate`, `batch open`."""
    for name in our_commands():
        command = command_named(name)
        if isinstance(command, GroupCommand):
            yield from ((f"{name} {deed}", kind()) for deed, kind in command.deeds.items())
        else:
            yield name, command


def words_of(example: str) -> list[str]:
    """The arguments of an example of a help page, without the program, pipes and redirections."""
    line = example.replace("\\\n", " ").rpartition(f"{PROGRAM} ")[2].partition(" > ")[0].partition(" | ")[0]
    return shlex.split(line)
