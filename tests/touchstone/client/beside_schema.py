"""The client's methods, each called with samples of what its types say, and what it then sends beside the schema."""

import inspect
import json
import os
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import httpx

from tests.touchstone.client.typing_schema import Schema, operations, query_parameters, row_of
from touchstone.client import Client
from touchstone.client.jobs import LongWork
from touchstone.client.parts import Part

NO_DEEDS = (Client.close, LongWork.wait)  # the latter reads, again and again
# What a sample of these says, so that nobody waits for ever.
ENDS = {"JobState": "done", "ImportState": "published"}
FORMS = ("multipart/form-data", "application/json")


@dataclass
class Operation:
    """`sent`: the fields that some call has sent. `callers`: the methods that called it."""

    method: str
    path: str
    schema: Schema
    components: Schema
    sent: set[str] = field(default_factory=set)
    callers: set[str] = field(default_factory=set)

    @property
    def title(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def methods(self) -> set[str]:
        """Those that call it, as docs name them: of a collection, or of `client`, `desk` or `job`."""
        short = {"Client.collection().": "", "Client.desk()": "desk", "Client.job()": "job", "Client.": "client."}
        names = set()
        for caller in self.callers:
            start = next(start for start in short if caller.startswith(start))
            names.add(short[start] + caller.removeprefix(start))
        return {name for name in names if "()" not in name}  # what comes of a method is named for itself

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\{\w+\}", "[^/]+", self.path))

    @cached_property
    def content(self) -> Schema:
        """Of a body: the form before JSON, as the client sends files in forms."""
        body = self.schema.get("requestBody", {}).get("content", {})
        kind = next((kind for kind in FORMS if kind in body), None)
        if self.path.endswith(("/publish", "/discard")):  # forms are for people's own programs there
            kind = "application/json" if body else None
        return self.whole(body[kind]["schema"]) if kind else {}

    @cached_property
    def fields(self) -> set[str]:
        query = {} if "file" in self.content.get("properties", {}) else query_parameters(self.schema)
        return {*query, *self.content.get("properties", {})}

    @cached_property
    def required(self) -> set[str]:
        query = {name for name, each in query_parameters(self.schema).items() if each.get("required")}
        return query | set(self.content.get("required", []))

    @cached_property
    def answers(self) -> dict[str, Schema]:
        """Good ones: status, and the schema of JSON (empty where the answer is none)."""
        good = {status: each for status, each in self.schema["responses"].items() if status < "300"}
        return {
            status: each.get("content", {}).get("application/json", {}).get("schema", {})
            for status, each in good.items()
        }

    @cached_property
    def names(self) -> set[str]:
        """The components of good answers; of a list, that of its rows."""
        names = {each["$ref"].rpartition("/")[2] for each in self.answers.values() if "$ref" in each}
        unions = {name: self.components[name].get("oneOf", []) for name in names}
        parts = {each["$ref"].rpartition("/")[2] for union in unions.values() for each in union}
        return {row_of(self.components, name) for name in names if not unions[name]} | parts

    def whole(self, schema: Schema) -> Schema:
        return self.components[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema

    def sample(self) -> httpx.Response:
        status, schema = next(iter(self.answers.items()))
        if not schema:
            return httpx.Response(int(status), content=b"" if status == "204" else b"x")
        return httpx.Response(int(status), json=self.value(schema))

    def value(self, schema: Schema) -> Any:
        if (name := schema.get("$ref", "").rpartition("/")[2]) in ENDS:
            return ENDS[name]
        schema = self.whole(schema)
        if schema.get("nullable"):
            return None
        if "enum" in schema:
            return schema["enum"][0]
        if "oneOf" in schema or "allOf" in schema:
            parts = [self.value(each) for each in schema.get("oneOf", schema.get("allOf"))]
            return dict(ChainMap(*parts)) if isinstance(parts[0], dict) else parts[0]
        if schema.get("type") == "object":
            fields = schema.get("properties", {})
            return {
                name: [self.value(each["items"])] if name == "results" else self.value(each)
                for name, each in fields.items()
            }
        plain = {"integer": 1, "number": 0.5, "boolean": True, "array": [], "string": "x"}
        return "http://testserver/1" if schema.get("format") == "uri" else plain.get(schema.get("type", ""))


@dataclass
class Calls:
    """What the methods of a client do beside a schema. Call `look`, then ask for `faults`."""

    document: Schema
    folder: Path
    faults: list[str] = field(default_factory=list)
    calling: str = ""
    last: Operation | None = None

    @cached_property
    def operations(self) -> list[Operation]:
        components = self.document["components"]["schemas"]
        entries = [Operation(method, path, schema, components) for path, method, schema in operations(self.document)]
        return sorted(entries, key=lambda operation: operation.path.count("{"))  # `pools/runs` before `pools/{id}`

    def look(self, kind: Callable[..., Client] = Client) -> list[str]:
        """The faults: what a method does that the schema does not know, and what the schema has that no method does."""
        client = kind("http://testserver", "token", tries=1, transport=httpx.MockTransport(self.answer))
        self._walk(client, kind.__name__)
        for operation in self.operations:
            if not operation.callers:
                self.faults.append(f"{operation.title}: no method calls it")
                continue
            unsent = sorted(operation.fields - operation.sent)
            self.faults += [f"{operation.title}: no method sends {name}" for name in unsent]
        return self.faults

    def _walk(self, part: Part, name: str) -> None:
        for attribute, member in inspect.getmembers(part):
            if attribute.startswith("_") or getattr(member, "__func__", None) in NO_DEEDS:
                continue
            self.calling = f"{name}.{attribute}"
            if isinstance(member, Part):
                self._walk(member, self.calling)
            elif inspect.ismethod(member):
                self._call(member)

    def _call(self, method: Callable[..., Any]) -> None:
        name, hints = self.calling, get_type_hints(method, include_extras=True)
        for is_full in (False, True):
            self.last = None
            result = method(**self._arguments(method, hints, is_full=is_full))
            if isinstance(result, Iterator):
                list(result)
            if self.last is not None:
                self._compare(hints["return"], self.last)
        if isinstance(result, Part):
            self._walk(result, f"{name}()")

    def _arguments(self, method: Callable[..., Any], hints: Mapping[str, Any], *, is_full: bool) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for parameter in inspect.signature(method).parameters.values():
            kind = hints[parameter.name]
            if get_origin(kind) is Unpack:
                values |= self._entries(get_args(kind)[0], is_full=is_full)
            elif is_full or parameter.default is parameter.empty:
                is_file = any(get_origin(each) is os.PathLike for each in parts_of(kind))
                values[parameter.name] = self._file() if is_file else self._value(kind)
        return values

    def _entries(self, kind: type, *, is_full: bool) -> dict[str, Any]:
        hints = get_type_hints(kind, include_extras=True).items()
        return {name: self._value(each) for name, each in hints if is_full or get_origin(each) is not NotRequired}

    def _value(self, kind: Any) -> Any:
        origin, parts = get_origin(kind), get_args(kind)
        if origin in {NotRequired, Required, Union, UnionType}:
            return self._value(parts[0])
        if origin is Literal:
            return parts[0]
        if origin is list:
            return [self._value(parts[0])]
        if origin is dict:
            return {"x": self._value(parts[1])}
        if is_typeddict(kind):
            return self._entries(kind, is_full=True)
        return {str: "x", int: 1, float: 0.5, bool: True, Any: "x"}[kind]

    def _file(self) -> Path:
        path = self.folder / "file"
        path.touch()
        return path

    def answer(self, request: httpx.Request) -> httpx.Response:
        at = request.url.path
        match = [each for each in self.operations if each.method == request.method and each.pattern.fullmatch(at)]
        if not match:
            self.faults.append(f"{self.calling}: {request.method} {at} is no operation")
            return httpx.Response(200, json={"results": [], "next": None, "job_url": "x"})
        operation = self.last = match[0]
        sent = fields_of(request)
        wrong = [f"{self.calling}: {operation.title} knows no {name}" for name in sorted(sent - operation.fields)]
        wrong += [f"{self.calling}: {operation.title} lacks {name}" for name in sorted(operation.required - sent)]
        self.faults += [fault for fault in wrong if fault not in self.faults]
        operation.sent |= sent
        return operation.sample()

    def _compare(self, kind: Any, operation: Operation) -> None:
        """What a method says that it gives, with what the operation answers."""
        operation.callers.add(self.calling)
        if get_origin(kind) is Iterator:
            kind = get_args(kind)[0]
        is_good = {each.__name__ for each in parts_of(kind) if is_typeddict(each)} <= operation.names
        if kind is NoneType:
            is_good = set(operation.answers) == {"204"}
        elif kind is Path:
            is_good = not operation.names
        elif inspect.isclass(kind) and issubclass(kind, LongWork):
            is_good = "202" in operation.answers
        elif is_typeddict(kind):
            is_good = {kind.__name__} <= operation.names
        fault = f"{self.calling}: {operation.title} answers {sorted(operation.names)}, not {kind}"
        if not is_good and fault not in self.faults:
            self.faults.append(fault)


def parts_of(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)


def fields_of(request: httpx.Request) -> set[str]:
    """Names in the query (but of pages) and in the body."""
    names = set(request.url.params) - {"page", "page_size"}
    body = request.read()
    kind = request.headers.get("Content-Type", "")
    if kind.startswith("multipart/form-data"):
        return names | set(re.findall(r'form-data; name="(\w+)"', body.decode()))
    return names | set(json.loads(body)) if body else names
