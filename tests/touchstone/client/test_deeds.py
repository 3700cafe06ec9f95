"""Every operation of the API has a method of the client, which sends and says what the schema does."""

import json
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

TOKEN = "/api/v1/collections/{slug}/batches/{token}"


@cache
def document() -> Any:
    return json.loads(schema())


def faults(folder: Path, kind: type[Client] = Client) -> list[str]:
    return Calls(document(), folder).look(kind)


def test_the_client_does_what_the_schema_has_and_nothing_else(tmp_path: Path) -> None:
    assert faults(tmp_path) == []


def test_the_types_are_those_of_the_schema() -> None:
    """`python -m tests.unchanged record` writes them anew."""
    assert {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.py")} == written(document())


def test_an_operation_without_a_method_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Batches, "pause")
    assert faults(tmp_path) == [f"POST {TOKEN}/pause: no method calls it"]


def test_a_method_of_an_address_that_is_not_there_is_named(tmp_path: Path) -> None:
    class Wrong(Client):
        def sing(self) -> None:
            self._do("song")

    assert set(faults(tmp_path, Wrong)) == {"Wrong.sing: POST /api/v1/song is no operation"}


def test_a_method_with_a_wrong_method_of_http_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pause(self: Batches, batch: str) -> None:
        self._do(batch, "pause", method="PUT")

    monkeypatch.setattr(Batches, "pause", pause)
    said = "PUT /api/v1/collections/x/batches/x/pause is no operation"
    assert set(faults(tmp_path)) == {
        f"Client.collection().batches.pause: {said}",
        f"POST {TOKEN}/pause: no method calls it",
    }


def test_fields_that_are_unknown_lacking_or_never_sent_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(self: Pools, *, title: str) -> WholePool:
        return self._post(WholePool, body={"title": title, "pairs": []})

    monkeypatch.setattr(Pools, "make", make)
    at, call = "POST /api/v1/collections/{slug}/pools", "Client.collection().pools.make"
    wrong = [f"{call}: {at} knows no title", f"{call}: {at} lacks name", f"{at}: no method sends name"]
    assert faults(tmp_path) == wrong


def test_an_answer_of_another_kind_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(self: Batches, batch: str) -> WholePool:
        return self._get(WholePool, batch)

    monkeypatch.setattr(Batches, "read", read)
    (fault,) = faults(tmp_path)
    assert fault.startswith(f"Client.collection().batches.read: GET {TOKEN} answers ['Progress'], not ")
