"""Every method of the client, called once on the app as the table of operations calls it: the request is taken, and the
answer fits the type that the method says.

No network stands between: what httpx sends is given to the app as it is. Each call is undone.
"""

import io
import json
import re
from collections.abc import Iterator, Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, Unpack, get_args, get_origin, get_type_hints

import httpx
import pytest
from django.db import transaction

from annotation.kernel.api_tokens import make_api_token
from annotation.models import GoldEvent
from tests.operations.calls import Operation, all_operations, filled
from tests.operations.world import World, make_world, waiting_job
from tests.touchstone.client.beside_schema import Calls
from tests.touchstone.client.fitting import misfits
from tests.touchstone.client.test_with_app import App
from tests.unchanged.facts import schema
from touchstone.client import Client
from touchstone.client.jobs import LongWork

pytestmark = pytest.mark.django_db

# A method of a client, of a collection or of a desk; what comes of a method is called for itself.
FIRST_HAND = re.compile(r"Client\.((collection|desk|job)\(\)\.)?\w+(\.\w+)?")
# What a method sends besides, or otherwise than, the table's call of its operation.
OTHERWISE: Mapping[str, Mapping[str, Any]] = {
    "Client.arrivals.bring": {"filename": "file.zip"},
    "Client.arrivals.bring_unseen": {"filename": "file.zip"},
    "Client.collection().gold.set": {"seen": "$event:known"},
    "Client.collection().gold.withdraw": {
        "docno": "$docno:known",
        "number": "$number:small",
        "seen": "$event:known",
    },
    "Client.collection().imports.bring": {"filename": "topics.tsv"},
    "Client.collection().runs.bring": {"filename": "new.run"},
}


def test_each_is_taken_and_answers_what_it_says(tmp_path: Path) -> None:
    world = make_world("birds")
    world.values["job_cancel"] = waiting_job(world)
    token = make_api_token(world.people["lead"], name="a program", scope="admin")
    client = Client("http://testserver", token, transport=httpx.MockTransport(App(0).answer), tries=1)
    operations = {each.title: each for each in all_operations()}
    methods = callers(tmp_path)
    wrong = {}
    for each in sorted(operations.values(), key=lambda operation: operation.name == "arrival_discard"):
        for name in methods[address(each)]:
            with transaction.atomic():
                if before := operations.get(each.line.after):
                    assert faults_of(client, before, methods[address(before)][0], world, tmp_path) == []
                if faults := faults_of(client, each, name, world, tmp_path):
                    wrong[name] = faults[:3]
                transaction.set_rollback(True)
    assert wrong == {}
    assert sum(map(len, methods.values())) > 170


def callers(folder: Path) -> dict[str, list[str]]:
    """By address of an operation, the methods that call it first-hand."""
    calls = Calls(json.loads(schema()), folder)
    calls.look()
    return {each.title: sorted(filter(FIRST_HAND.fullmatch, each.callers)) for each in calls.operations}


def address(operation: Operation) -> str:
    return f"{operation.method.upper()} {operation.path}"


def faults_of(client: Client, operation: Operation, name: str, world: World, folder: Path) -> list[str]:
    """A refusal, or where the answer is not as the method says."""
    values = world.address(operation.method.upper(), operation.name)
    path = [values["pk" if each == "id" else each] for each in operation.parameters]
    method: Any = client
    for part in name.removeprefix("Client.").split("."):
        method = getattr(method, part.removesuffix("()"))
        method = method(path.pop(0)) if part.endswith("()") else method
    hints = get_type_hints(method, include_extras=True)
    arguments = arguments_of(method, hints, path, entries_of(operation, name, world), folder)
    try:
        return list(unlike(method(**arguments), hints["return"]))
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is said which method raised it
        return [f"{type(error).__name__}: {error}"]


def entries_of(operation: Operation, name: str, world: World) -> dict[str, Any]:
    """What the call sends, in the query or the body."""
    ids = world.words("lead")
    known = GoldEvent.objects.filter(topic__number=ids["number:small"]).select_related("document").earliest("pk")
    sent = {**(operation.line.body or {}), **operation.line.query, **OTHERWISE.get(name, {})}
    return dict(filled(sent, {**ids, "docno:known": known.document.docno, "event:known": known.pk}))


def arguments_of(
    method: Any, hints: Mapping[str, Any], path: list[Any], entries: Mapping[str, Any], folder: Path
) -> dict[str, Any]:
    """By name: what stands in the address in its order, the rest by the names of entries."""
    arguments: dict[str, Any] = {}
    for parameter in signature(method).parameters.values():
        name, kind = parameter.name, hints[parameter.name]
        if get_origin(kind) is Unpack:
            arguments |= {each: entries[each] for each in get_type_hints(get_args(kind)[0]).keys() & entries.keys()}
        elif name == "path":
            arguments[name] = folder / "saved"
        elif name == "file":
            arguments[name] = io.BytesIO(entries[name])
        elif isinstance(entries.get(name), bytes):
            arguments[name] = folder / name
            arguments[name].write_bytes(entries[name])
        elif name in entries:
            arguments[name] = entries[name]
        elif parameter.default is Parameter.empty:
            arguments[name] = path.pop(0)
    return arguments


def unlike(answer: Any, kind: Any) -> Iterator[str]:
    """Where the answer is not of the kind: of a file that it is there, of long work that it can be read."""
    if get_origin(kind) is Iterator:
        for n, row in enumerate(answer):
            yield from misfits(row, get_args(kind)[0], f"row {n}")
    elif kind is Path:
        yield from [] if answer.is_file() else ["no file was written"]
    elif isinstance(answer, LongWork):
        yield from misfits(answer.read(), get_type_hints(type(answer).read)["return"], "the work")
    else:
        yield from misfits(answer, kind)


class Inner(TypedDict):
    n: NotRequired[int]
    words: list[str]


class Outer(TypedDict):
    of: dict[str, Inner]
    state: Literal["open", "closed"] | None


def test_what_does_not_fit_is_named() -> None:
    assert list(misfits({"of": {"a": {"words": ["x"], "n": 1}}, "state": None}, Outer)) == []
    wrong = {"of": {"a": {"words": ["x", 1], "n": 0.5, "more": 1}, "b": {}}, "state": "shut"}
    assert sorted(misfits(wrong, Outer)) == [
        ".of.a.n: 0.5 is no int",
        ".of.a.words[1]: 1 is no str",
        ".of.a: has more, which Inner has not",
        ".of.b: lacks words",
        ".state: 'shut' is none of ('open', 'closed')",
    ]
