"""What callers rely on, as text that diffs well: the API's schema, addresses with their names, options of commands.

Nothing here names a module of the apps: files may move without a difference.
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.test import override_settings
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from drf_spectacular.generators import SchemaGenerator

RECORDED = Path(__file__).resolve().parent / "recorded"
NOWHERE = RECORDED / "nowhere"
OUR_APPS = ("annotation", "evaluation", "touchstone")
SAMPLES = {"str": "s", "slug": "s", "int": "1", "path": "a/b"}  # of what each kind of place in an address takes

_CONVERTER = re.compile(r"<(\w+):\w+>")


def record(folder: Path = RECORDED) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FACTS.items():
        (folder / name).write_text(text(), "utf-8")


def schema() -> str:
    """The OpenAPI description with its keys sorted."""
    description = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return json.dumps(description, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def addresses() -> str:
    """A line each address: name and pattern; and which name answers there, should another one be tried first."""
    return "".join(sorted(_address(name, route) for name, route in routes(get_resolver().url_patterns)))


def _address(name: str, route: str) -> str:
    answers = resolve("/" + _CONVERTER.sub(lambda match: SAMPLES[match[1]], route)).url_name
    return f"{name:<32} /{route}{'' if answers == name else f'  answered by {answers}'}\n"


def routes(patterns: Iterable[URLPattern | URLResolver], above: str = "") -> Iterator[tuple[str, str]]:
    """Name and whole route of every address."""
    for pattern in patterns:
        route = above + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield pattern.name or "", route


def commands() -> str:
    """What each command of ours is for, and its arguments without those of every Django command.

    Read from the parser: how argparse lays out a help page differs between versions of Python.
    """
    names = [name for name, app in sorted(get_commands().items()) if app in OUR_APPS]
    with override_settings(TOUCHSTONE_VAR=NOWHERE, TOUCHSTONE_HTTPS=False):  # one default is where it was served last
        return "\n".join(map(_command, names))


def _command(name: str) -> str:
    app = get_commands()[name]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    shared = {action.dest for action in BaseCommand().create_parser("manage.py", name)._actions}
    parser = command.create_parser("manage.py", name)
    return f"{name}: {command.help}\n{''.join(_arguments(parser, shared, depth=1))}"


def _arguments(parser: argparse.ArgumentParser, shared: set[str], *, depth: int) -> Iterator[str]:
    indent = "  " * depth
    groups = [map(_names, group._group_actions) for group in parser._mutually_exclusive_groups]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield f"{indent}{name}: {below.description or ''}\n"
                yield from _arguments(below, shared, depth=depth + 1)
        elif action.dest not in shared:
            yield f"{indent}{_argument(action, parser.prog)}\n"
    for group in groups:
        yield f"{indent}one of: {', '.join(group)}\n"


def _argument(action: argparse.Action, prog: str) -> str:
    """Names, what it takes, what it is without, and its line of help."""
    facts: dict[str, object] = {"required": action.required or None}
    if action.nargs != 0:
        facts |= {
            "takes": action.nargs,
            "choices": None if action.choices is None else "|".join(map(str, action.choices)),
            "as": action.metavar or (None if action.choices else action.dest.upper()),
            "default": action.default,
        }
    words = " ".join(f"{key}={value!r}" for key, value in facts.items() if value is not None)
    help_line = (action.help or "") % {**vars(action), "prog": prog}
    return f"{_names(action)} [{words}] {help_line}".rstrip()


def _names(action: argparse.Action) -> str:
    return ", ".join(action.option_strings) or action.dest


# What is recorded, by the name of its file.
FACTS = {"schema.json": schema, "addresses.txt": addresses, "commands.txt": commands}
