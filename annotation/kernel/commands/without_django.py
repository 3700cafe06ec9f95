"""As much of Django's commands as those need that only read files: for an installation without Django."""

import argparse
import sys
from pathlib import PurePath
from typing import Any, NoReturn, TextIO

DATABASE_ERRORS: tuple[type[Exception], ...] = ()


class CommandError(Exception):
    """What ends a command, in words, with the exit code of its process."""

    def __init__(self, message: str, returncode: int = 1) -> None:
        super().__init__(message)
        self.returncode = returncode


class OutputWrapper:
    """A stream to which whole lines are written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, msg: str = "", style_func: object = None, ending: str = "\n") -> None:
        self._stream.write(msg if msg.endswith(ending) else msg + ending)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()


class HelpFormatter(argparse.HelpFormatter):
    """argparse's own."""


class CommandParser(argparse.ArgumentParser):
    """Wrong use ends the process from the command line, and raises `CommandError` elsewhere."""

    def __init__(self, *, called_from_command_line: bool, **options: Any) -> None:
        super().__init__(**options)
        self.called_from_command_line = called_from_command_line

    def error(self, message: str) -> NoReturn:
        if self.called_from_command_line:
            super().error(message)
        raise CommandError(f"Error: {message}")


class BaseCommand:
    """A subclass declares `help` and `add_arguments`, and does its work in `handle`."""

    help = ""
    _called_from_command_line = False

    def __init__(self) -> None:
        self.stdout, self.stderr = OutputWrapper(sys.stdout), OutputWrapper(sys.stderr)

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        parser = CommandParser(
            prog=f"{PurePath(prog_name).name} {subcommand}",
            description=self.help,
            called_from_command_line=self._called_from_command_line,
            **options,
        )
        self.add_arguments(parser)
        return parser

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Adds nothing."""

    def execute(self, *args: Any, **options: Any) -> None:
        self.handle(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises `CommandError`."""
        raise NotImplementedError


def handle_default_options(options: argparse.Namespace) -> None:
    """There are none."""


def close_connections() -> None:
    """There are none."""
