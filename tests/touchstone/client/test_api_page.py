"""What docs/api.md shows is so: its Python runs beside the schema, its requests are operations, its table is whole."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.urls import resolve

from tests.touchstone.client.api_page import methods_in_the_table, program_of_the_page, requests_of_the_page
from tests.touchstone.client.beside_schema import Calls, Operation
from tests.unchanged.facts import schema

FILES = ("topics.tsv", "corpus.jsonl", "bm25.run.gz", "docs.npy", "docs.ids.txt", "items.csv", "clicks.csv")
SAVED = {"bees.zip", "bm25.run.gz", "first.jsonl", "first.qrels", "judgments.parquet", "lists.jsonl", "named.csv"}
NOT_IN_ITSELF = {"schema"}  # the operation that the schema leaves out, and whose answer is the schema


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    return Calls(json.loads(schema()), tmp_path)


def name_of(operation: Operation) -> str:
    plain = operation.path.replace("{id}", "1").replace("{number}", "1").replace("{", "").replace("}", "")
    return (resolve(plain).url_name or "").removeprefix("api_")


def test_the_python_of_the_page_sends_what_the_schema_takes(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def client_of_samples(make: Callable[..., httpx.Client] = httpx.Client, **options: Any) -> httpx.Client:
        return make(**{**options, "transport": httpx.MockTransport(calls.answer)})

    monkeypatch.setattr("touchstone.client.wire.httpx.Client", client_of_samples)
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        Path(name).touch()
    Path("page.py").write_text(program_of_the_page(), "utf-8")
    runpy.run_path("page.py")
    assert calls.faults == []
    assert {file.name for file in tmp_path.iterdir()} == SAVED | {*FILES, "page.py"}


def test_the_requests_of_the_page_are_operations(calls: Calls) -> None:
    requests = list(requests_of_the_page())
    known = [(operation.method, operation.pattern) for operation in calls.operations]
    wrong = [each for each in requests if not any(each[0] == m and p.fullmatch(each[1]) for m, p in known)]
    assert wrong == []
    assert len(requests) > 60


def test_the_table_names_every_operation_and_every_method(calls: Calls) -> None:
    calls.look()
    methods: dict[str, set[str]] = {}
    for operation in calls.operations:
        methods.setdefault(name_of(operation), set()).update(operation.methods)
    table = methods_in_the_table()
    assert set(table) - NOT_IN_ITSELF == set(methods)
    assert {name: table[name] for name in methods} == methods
