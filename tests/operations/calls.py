"""Calls made from the table: addresses, bodies and queries with ids put in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import resolve

from tests.annotation.against_schema import operations
from tests.operations.table import TABLE, Line

Ids = Mapping[str, str | int]


@dataclass(frozen=True)
class Operation:
    method: str
    name: str  # of the address, without `api_`
    path: str  # as in the schema
    parameters: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.method.upper()} {self.name}"

    @property
    def line(self) -> Line:
        return TABLE[self.title]

    def address(self, values: Ids) -> str:
        """`values` by their names in the schema, where every key is an `id`."""
        ids = {name: values["pk" if name == "id" else name] for name in self.parameters}
        return self.path.format(**{name: quote(str(value), safe="") for name, value in ids.items()})

    @property
    def sends_file(self) -> bool:
        return any(map(is_file, (self.line.body or {}).values()))

    def body(self, ids: Ids) -> Any:
        return filled(self.line.body, ids)

    def call(self, client: Client, values: Ids, ids: Ids) -> Any:
        address, query = self.address(values), filled(self.line.query, ids)
        body = self.body(ids)
        if self.method == "get":
            return client.get(address, query)
        if query:
            address += f"?{urlencode(query)}"
        if self.sends_file and body is not None:
            files = {name: SimpleUploadedFile("file.txt", value) for name, value in body.items() if is_file(value)}
            return client.post(address, {**body, **files})
        if body is None:
            return client.generic(self.method.upper(), address)  # Django's post() would send an empty form
        return getattr(client, self.method)(address, body, content_type="application/json")


def all_operations() -> Iterator[Operation]:
    for path, method in operations():
        parts = path.replace("}", "{").split("{")
        plain = "".join("1" if turn % 2 else part for turn, part in enumerate(parts))
        name = (resolve(plain).url_name or "").removeprefix("api_")
        yield Operation(method, name, path, tuple(parts[1::2]))


def is_file(value: object) -> bool:
    return isinstance(value, bytes)


def filled(template: Any, ids: Ids) -> Any:
    """The template with ids in place of their names."""
    if isinstance(template, str) and template.startswith("$"):
        return ids[template[1:]]
    if isinstance(template, Mapping):
        return {name: filled(value, ids) for name, value in template.items()}
    return [filled(each, ids) for each in template] if isinstance(template, list) else template


def names_in(template: Any) -> set[str]:
    """The names of ids that a template has."""
    if isinstance(template, str) and template.startswith("$"):
        return {template[1:]}
    parts = template.values() if isinstance(template, Mapping) else template if isinstance(template, list) else []
    return set[str]().union(*map(names_in, parts))
