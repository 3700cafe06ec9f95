"""The habit of all commands: examples and exit codes in the help, results and errors as words or JSON, a quiet Ctrl-C.

A command raises `MisuseError` for what is wrong with how it was called, `RefusedError` for what is
wrong with what it works on. It needs neither settings nor Django: commands that only read files
start without the app.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from traceback import clear_frames
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import Problem
from annotation.kernel.commands.foundation import (
    DATABASE_ERRORS,
    BaseCommand,
    CommandError,
    CommandParser,
    HelpFormatter,
    close_connections,
    handle_default_options,
)

DONE, REFUSED, MISUSED, STOPPED = 0, 1, 2, 130
EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "done",
        REFUSED: "refused: the reason is on the standard error, nothing was changed",
        MISUSED: "wrong use: an unknown option or value; no such collection, file or whatever else is named",
        STOPPED: "stopped by Ctrl-C",
    }
)
FAULTS: tuple[type[Exception], ...] = (CommandError, OSError, *DATABASE_ERRORS)  # that end without a traceback
JSON = "--json"
PROGRAM = "touchstone"  # as examples call it
SAFETY = "touchstone"  # Django checks of this tag find settings with which nothing may run


class RefusedError(CommandError):
    """Called as it should be, and yet refused. `problems` are those of a file; `advice` says which options help."""

    def __init__(self, message: str, *, problems: Sequence[Problem] = (), advice: Sequence[str] = ()) -> None:
        super().__init__(message, returncode=REFUSED)
        self.problems, self.advice = problems, advice

    def lines(self) -> list[str]:
        """What is said before the message."""
        return [*map(str, self.problems), *self.advice]


class MisuseError(CommandError):
    """Wrong use: nothing was tried."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=MISUSED)


class ExampleFormatter(HelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Examples stand as they are written."""


class TouchstoneCommand(BaseCommand):
    """A subclass gives its examples, each beginning with `PROGRAM`, and what its exit codes mean where it says more
    than `EXITS`; it says what came of it by `answer`. `alias_of`: the command that this is another name of."""

    # Django's other checks look at the program, not at what is installed where, and load every page to do so: for more
    # than a second. `manage.py check` makes them, and so do the tests.
    requires_system_checks: list[str] | tuple[str, ...] = (SAFETY,)

    examples: Sequence[str]
    exits: Mapping[int, str] = MappingProxyType({})
    alias_of = ""
    as_json = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.alias_of:
            self.help = f"{self.help} Another name of `{self.alias_of}`."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        epilog = self.help_end(program_of(prog_name))
        parser = super().create_parser(prog_name, subcommand, epilog=epilog, formatter_class=ExampleFormatter, **kwargs)
        self.add_json(parser)
        return parser

    def add_json(self, parser: argparse.ArgumentParser) -> None:
        """Which all commands have."""
        words = "results and errors as JSON; an error is the last line of the standard error"
        parser.add_argument(JSON, dest="as_json", action="store_true", help=words)

    def help_end(self, program: str) -> str:
        """What stands below the options."""
        examples = "\n".join(f"  {example.replace(PROGRAM, program)}" for example in self.examples)
        codes = "\n".join(f"  {code:<3}  {words}" for code, words in {**EXITS, **self.exits}.items())
        return f"examples:\n{examples}\n\nexit codes:\n{codes}"

    def answer(self, words: str, facts: object) -> None:
        """What came of it, for a person or for a program."""
        self.stdout.write(json.dumps(facts, ensure_ascii=False) if self.as_json else words)

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.as_json = bool(options.pop("as_json", False))
        try:
            return super().execute(*args, **options)
        except RefusedError as error:
            for line in () if self.as_json else error.lines():
                self.stderr.write(line)
            raise

    def meant(self, arguments: list[str]) -> list[str]:
        """The arguments as the parser takes them."""
        return arguments

    def run_from_argv(self, argv: list[str]) -> None:
        self.as_json = JSON in argv[2:]
        try:
            self._parse_and_execute(argv)
        except KeyboardInterrupt as stop:
            self._end(CommandError("Stopped.", returncode=STOPPED), stop)
        except BrokenPipeError:  # a reader that has seen enough, as `head` has
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends
        except FAULTS as error:
            if "--traceback" in argv:
                raise
            self._end(_as_command_error(error), error)
        finally:
            close_connections()

    def _parse_and_execute(self, argv: list[str]) -> None:
        self._called_from_command_line = not self.as_json  # argparse itself tells people how a command is used
        parser, arguments = self.create_parser(argv[0], argv[1]), self.meant(argv[2:])
        try:
            options = parser.parse_args(arguments)
        except CommandError as error:
            raise MisuseError(str(error).removeprefix("Error: ")) from error
        handle_default_options(options)
        self.execute(**vars(options))
        self.stdout.flush()

    def _end(self, error: CommandError, cause: BaseException) -> None:
        clear_frames(cause.__traceback__)  # what was reading rows lets go of them before the database is closed
        message = json.dumps(_as_facts(error), ensure_ascii=False) if self.as_json else str(error)
        self.stderr.write(message, style_func=str if self.as_json else None)
        sys.exit(error.returncode)


def program_of(prog_name: str) -> str:
    """How the commands are called here: `touchstone`, or `python manage.py` in a checkout."""
    name = os.path.basename(prog_name)  # noqa: PTH119 -- as Django does
    return f"python {name}" if name.endswith(".py") else name


def _as_command_error(error: Exception) -> CommandError:
    """Of a disk that is full, a file that cannot be read, a database that is away or has no tables."""
    if isinstance(error, CommandError):
        return error
    if isinstance(error, OSError):
        if len(error.args) == 1:  # ours, in words of its own
            return RefusedError(str(error))
        return RefusedError(f"{error.filename or 'the output'}: {error.strerror or error}")
    reason = " ".join(str(error).split())
    return RefusedError(f"The database does not take this: {reason}. Is it there, and did migrate run?")


def _as_facts(error: CommandError) -> dict[str, object]:
    facts: dict[str, object] = {"error": str(error), "exit_code": error.returncode}
    if isinstance(error, RefusedError) and error.problems:
        facts["problems"] = [vars(problem) for problem in error.problems]
        facts["advice"] = list(error.advice)
    return facts
