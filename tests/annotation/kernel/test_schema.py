"""The OpenAPI description: complete, free of warnings, served."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.kernel.problem_details import CONTENT_TYPE, KINDS
from tests.annotation.against_schema import document, operations
from tests.annotation.callers import MEMBERS, caller, statuses
from tests.annotation.roles import make_people

PREFIX = "api/v1/"
ROOT = Path(__file__).resolve().parents[3]


def test_it_is_made_without_a_warning_and_names_every_address(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", "--file", str(file))
    schema = json.loads(file.read_text())
    paths = schema["paths"]
    assert len(paths) == len([name for name in api_names() if name != "api_schema"])
    for methods in paths.values():
        for operation in methods.values():
            assert operation["description"]
            errors = {code: answer for code, answer in operation["responses"].items() if code >= "400"}
            assert {"400", "401", "403", "404", "405", "500", "503", "507"} <= set(errors)
            assert {tuple(answer["content"]) for answer in errors.values()} == {(CONTENT_TYPE,)}
            assert len(operation["tags"]) == 1
    assert {tag["name"] for tag in schema["tags"]} > {"home", "trust", "runs"}
    assert all(tag["description"] for tag in schema["tags"])


def test_every_address_of_the_api_says_so_in_its_name() -> None:
    assert api_names()
    assert [name for name in api_names() if not name.startswith("api_")] == []


@pytest.mark.django_db
def test_it_is_served_to_whoever_may_call() -> None:
    people = make_people()
    assert statuses(people, reverse("api_schema")) == MEMBERS
    answer = caller(people.annotator).get(reverse("api_schema"))
    assert (json.loads(answer.content)["openapi"], answer["Content-Type"]) == (
        "3.0.3",
        "application/vnd.oai.openapi+json",
    )


def api_names() -> list[str]:
    named = [each for each in patterns(get_resolver().url_patterns) if str(each.pattern).startswith(PREFIX)]
    return [pattern.name or "" for pattern in named]


def patterns(among: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for each in among:
        if isinstance(each, URLResolver):
            yield from patterns(each.url_patterns)
        else:
            yield each


def test_every_list_comes_in_pages() -> None:
    """No answer is a bare array, and none is a list by another habit."""
    components = document()["components"]["schemas"]
    schemas = [
        operation["responses"]["200"]["content"]["application/json"]["schema"]
        for (_, method), operation in operations().items()
        if method == "get" and "application/json" in operation["responses"]["200"].get("content", {})
    ]
    assert all(schema.get("type") != "array" for schema in schemas)
    names = [schema["$ref"].rpartition("/")[2] for schema in schemas if "$ref" in schema]
    pages = [components[name]["properties"] for name in names if "results" in components[name]["properties"]]
    assert len(pages) > 10
    assert all({"count", "next", "previous", "results"} == set(each) for each in pages)


@pytest.mark.django_db
def test_what_has_not_changed_is_not_sent_again() -> None:
    people = make_people()
    client, address = caller(people.admin), reverse("api_collection", args=["bees"])
    first = client.get(address)
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    people.collection.name = "Other"
    people.collection.save()
    changed = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (changed.status_code, changed.headers["ETag"] == first.headers["ETag"]) == (200, False)


def test_every_kind_of_error_has_its_row_in_the_docs() -> None:
    rows = (ROOT / "docs/api.md").read_text("utf-8")
    assert [kind.code for kind in KINDS if f"| `{kind.code}` | {kind.status} |" not in rows] == []
