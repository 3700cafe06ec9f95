"""What commands that work on a collection share: help with examples, an answer in words or JSON, exit codes."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.forms import Form

from annotation.management.importing import ExampleFormatter


class AnsweringCommand(BaseCommand):
    """A subclass gives examples and its exit codes, and calls `answer`."""

    examples: str
    exit_codes: str

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        epilog = f"examples:\n{self.examples}\n\nexit codes:\n{self.exit_codes}"
        return super().create_parser(prog_name, subcommand, epilog=epilog, formatter_class=ExampleFormatter, **kwargs)

    def answer(self, words: str, facts: dict[str, object], *, as_json: bool) -> None:
        self.stdout.write(json.dumps(facts, ensure_ascii=False) if as_json else words)


def faults_of(form: Form) -> str:
    """What is wrong with what was entered, a line a fault: the form's own words, under the names of its fields."""
    faults = form.errors.get_json_data()
    return "\n".join(f"{field}: {each['message']}" for field, those in faults.items() for each in those)
