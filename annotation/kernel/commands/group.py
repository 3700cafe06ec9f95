"""A command of several deeds: `people list`, `people invite`. Each deed is a command of its own."""

import argparse
from collections.abc import Mapping
from typing import Any

from annotation.kernel.commands.base import ExampleFormatter, TouchstoneCommand, program_of
from annotation.kernel.commands.foundation import CommandParser


class GroupCommand(TouchstoneCommand):
    """A subclass names its deeds. `usual` is the one that is meant where the first word names none, as before there
    were others."""

    deeds: Mapping[str, type[TouchstoneCommand]]
    usual = ""

    @property
    def examples(self) -> list[str]:  # type: ignore[override]
        """One of each deed."""
        return [deed.examples[0] for deed in self.deeds.values()]

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        self.program = program_of(prog_name)
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_json(self, parser: argparse.ArgumentParser) -> None:
        """Each deed has it."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions: Any = parser.add_subparsers(title="actions", dest="deed", required=True, metavar="ACTION")
        for name, kind in self.deeds.items():
            deed = kind()
            below: CommandParser = actions.add_parser(
                name,
                help=deed.help,
                description=deed.help,
                epilog=deed.help_end(self.program),
                formatter_class=ExampleFormatter,
            )
            deed.add_arguments(below)
            deed.add_json(below)

    def meant(self, arguments: list[str]) -> list[str]:
        words = [word for word in arguments if not word.startswith("-")]
        if self.usual and words and words[0] not in self.deeds:
            return [self.usual, *arguments]
        return arguments

    def handle(self, *args: Any, deed: str, **options: Any) -> None:
        chosen = self.deeds[deed]()
        chosen.stdout, chosen.stderr, chosen.style = self.stdout, self.stderr, self.style
        chosen.as_json = self.as_json
        chosen.handle(*args, **options)
