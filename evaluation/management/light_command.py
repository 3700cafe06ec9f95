"""As much of Django's commands as those need that only read files: for an install without Django."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import PurePath
from typing import NoReturn, TextIO


class CommandError(Exception):
    """What ends a command, in words, with the status of its process."""

    def __init__(self, message: str, returncode: int = 1) -> None:
        super().__init__(message)
        self.returncode = returncode


class OutputWrapper:
    """A stream to which whole lines are written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str = "", ending: str = "\n") -> None:
        self._stream.write(text if text.endswith(ending) else text + ending)


class BaseCommand:
    """A subclass declares `help` and `add_arguments`, and does its work in `handle`."""

    help = ""

    def __init__(self) -> None:
        self.stdout, self.stderr = OutputWrapper(sys.stdout), OutputWrapper(sys.stderr)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Adds nothing."""

    def handle(self, **options: object) -> None:
        """Raises `CommandError`."""
        raise NotImplementedError

    def run_from_argv(self, argv: Sequence[str]) -> None:
        """Program, command and its options, as in `sys.argv`. Ends the process where the command fails."""
        parser = argparse.ArgumentParser(prog=f"{PurePath(argv[0]).name} {argv[1]}", description=self.help)
        self.add_arguments(parser)
        options = vars(parser.parse_args(argv[2:]))
        try:
            self.handle(**options)
        except CommandError as error:
            self._end(error)

    def _end(self, error: CommandError) -> NoReturn:
        self.stderr.write(f"CommandError: {error}")
        sys.exit(error.returncode)
