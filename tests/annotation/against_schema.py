"""Answers of the API beside the schema: what differs, with the place where it does."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator

Schema = dict[str, Any]
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


@cache
def document() -> Schema:
    whole: Schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return whole


@cache
def operations() -> dict[tuple[str, str], Schema]:
    """By the route as Django writes it, without converters, and the method."""
    paths = document()["paths"].items()
    return {(path, method): operation for path, methods in paths for method, operation in methods.items()}


def deviations(path: str, method: str, answer: HttpResponseBase) -> list[str]:
    """What an answer under /api/v1/ has that the schema does not say, or lacks of it."""
    operation = _operation(path, method)
    if operation is None:
        return []
    declared = operation["responses"].get(str(answer.status_code))
    if declared is None:
        return [f"{method} {path}: {answer.status_code} is not declared"]
    lacking = [name for name in declared.get("headers", {}) if name not in answer.headers]
    if lacking:
        return [f"{method} {path}: {answer.status_code} lacks the header {name}" for name in lacking]
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    content = declared.get("content", {})
    if kind not in content:
        return [f"{method} {path}: {answer.status_code} as {kind} is not declared"] if content else []
    if answer.streaming or not kind.endswith("json"):
        return []
    assert isinstance(answer, HttpResponse)
    body = json.loads(answer.content)
    return [f"{method} {path} {answer.status_code}: {fault}" for fault in _faults(body, content[kind]["schema"], "$")]


def _operation(path: str, method: str) -> Schema | None:
    route = "/" + resolve(path).route
    plain = "".join(part if not turn % 2 else f"{{{_name(part)}}}" for turn, part in _parts(route))
    return operations().get((plain, method.lower()))


def _name(parameter: str) -> str:
    """As the schema calls it, of a parameter with its converter."""
    name = parameter.partition(":")[2]
    return {"pk": "id"}.get(name, name)


def _parts(route: str) -> Iterator[tuple[int, str]]:
    """Turn by turn what stands outside and inside of angle brackets."""
    return enumerate(route.replace(">", "<").split("<"))


def _faults(value: Any, schema: Schema, at: str) -> Iterator[str]:
    if value is None and (schema.get("nullable") or not schema):
        return
    if "$ref" in schema:
        yield from _faults(value, document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]], at)
    elif "oneOf" in schema:
        if all(list(_faults(value, each, at)) for each in schema["oneOf"]):
            yield f"{at}: {value!r} is none of {schema['oneOf']}"
    elif "allOf" in schema:
        for each in schema["allOf"]:
            yield from _faults(value, each, at)
    elif "enum" in schema:
        if value not in schema["enum"]:
            yield f"{at}: {value!r} is none of {schema['enum']}"
    elif "type" in schema:
        yield from _faults_of_type(value, schema, at)


def _faults_of_type(value: Any, schema: Schema, at: str) -> Iterator[str]:
    kind = schema["type"]
    is_kind = isinstance(value, TYPES[kind])
    if not is_kind or (isinstance(value, bool) and kind != "boolean"):
        yield f"{at}: {value!r} is no {kind}"
    elif kind == "array":
        for number, each in enumerate(value):
            yield from _faults(each, schema["items"], f"{at}[{number}]")
    elif kind == "object":
        yield from _faults_of_object(value, schema, at)


def _faults_of_object(value: Schema, schema: Schema, at: str) -> Iterator[str]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", not schema.get("properties"))
    yield from (f"{at}.{name}: lacks" for name in schema.get("required", []) if name not in value)
    for name, each in value.items():
        if name in properties:
            yield from _faults(each, properties[name], f"{at}.{name}")
        elif isinstance(others, dict):
            yield from _faults(each, others, f"{at}.{name}")
        elif not others:
            yield f"{at}.{name}: is not declared"
