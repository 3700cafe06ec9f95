"""Every operation of the API has a method of the client, which sends and says what the schema does."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.touchstone.client.beside_schema import Calls
from tests.touchstone.client.typing_schema import FOLDER, written
from tests.unchanged.facts import schema
from touchstone.client import Client
from touchstone.client.batches import Batches
from touchstone.client.corpus import Pools
from touchstone.client.schema.corpus import WholePool

Faults = Callable[..., list[str]]

TOKEN = "/api/v1/collections/{slug}/batches/{token}"


@cache
def document() -> Any:
    return json.loads(schema())


@pytest.fixture(scope="module")
def unseeded(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The faults of the client as it is: there should be none, and the tests of seeds do not say so again."""
    return Calls(document(), tmp_path_factory.mktemp("client")).look()


@pytest.fixture
def faults(tmp_path: Path, unseeded: list[str]) -> Faults:
    """What looking at a client tells of the fault that was put into it."""

    def look(kind: type[Client] = Client) -> list[str]:
        return [fault for fault in Calls(document(), tmp_path).look(kind) if fault not in unseeded]

    return look


def test_the_client_does_what_the_schema_has_and_nothing_else(unseeded: list[str]) -> None:
    assert unseeded == []


def test_the_types_are_those_of_the_schema() -> None:
    """`python -m tests.unchanged record` writes them anew."""
    assert {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.py")} == written(document())


def test_an_operation_without_a_method_is_named(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Batches, "pause")
    assert faults() == [f"POST {TOKEN}/pause: no method calls it"]


def test_a_method_of_an_address_that_is_not_there_is_named(faults: Faults) -> None:
    class Wrong(Client):
        def sing(self) -> None:
            self._do("song")

    assert set(faults(Wrong)) == {"Wrong.sing: POST /api/v1/song is no operation"}


def test_a_method_with_a_wrong_method_of_http_is_named(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    def pause(self: Batches, batch: str) -> None:
        self._do(batch, "pause", method="PUT")

    monkeypatch.setattr(Batches, "pause", pause)
    reason = "PUT /api/v1/collections/x/batches/x/pause is no operation"
    assert set(faults()) == {
        f"Client.collection().batches.pause: {reason}",
        f"POST {TOKEN}/pause: no method calls it",
    }


def test_fields_that_are_unknown_lacking_or_never_sent_are_named(
    faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(self: Pools, *, title: str) -> WholePool:
        return self._post(WholePool, body={"title": title, "pairs": []})

    monkeypatch.setattr(Pools, "make", make)
    at, call = "POST /api/v1/collections/{slug}/pools", "Client.collection().pools.make"
    wrong = [f"{call}: {at} knows no title", f"{call}: {at} lacks name", f"{at}: no method sends name"]
    assert faults() == wrong


def test_an_answer_of_another_kind_is_named(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(self: Batches, batch: str) -> WholePool:
        return self._get(WholePool, batch)

    monkeypatch.setattr(Batches, "read", read)
    (fault,) = faults()
    assert fault.startswith(f"Client.collection().batches.read: GET {TOKEN} answers ['Progress'], not ")
