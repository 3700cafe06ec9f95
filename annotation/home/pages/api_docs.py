"""The schema of the API as people read it: operations by subject, what they take and answer, an example each."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

Schema = Mapping[str, Any]
JSON, FORM = "application/json", "multipart/form-data"
FORMATS = {"date-time": "time", "uri": "address", "binary": "file"}
SAMPLES: dict[str, object] = {"string": "…", "integer": 1, "number": 0.5, "boolean": True, "array": [], "object": {}}


@dataclass(frozen=True)
class Kind:
    """What a field holds; `component`: the name of the shape it has, or whose list it is."""

    words: str
    component: str = ""


@dataclass(frozen=True)
class Field:
    name: str
    kind: Kind
    is_required: bool
    help: str
    within: str = ""  # path, query or header


@dataclass(frozen=True)
class Answer:
    status: str
    help: str
    kinds: tuple[tuple[str, Kind], ...]  # by content type


@dataclass(frozen=True)
class Operation:
    anchor: str
    method: str
    path: str
    summary: str
    more: str
    parameters: tuple[Field, ...]
    bodies: tuple[tuple[str, tuple[Field, ...]], ...]  # by content type
    answers: tuple[Answer, ...]
    errors: tuple[str, ...]
    example: str


@dataclass(frozen=True)
class Subject:
    name: str
    help: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class Shape:
    name: str
    help: str
    fields: tuple[Field, ...]


@cache
def schema() -> Schema:
    """Made once a process: it takes a second or two."""
    description: Schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return description


def subjects(host: str) -> list[Subject]:
    """`host`: where examples call, with its scheme."""
    by_tag: dict[str, list[Operation]] = {}
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(method, path, operation, host))
    helps = {tag["name"]: tag["description"] for tag in schema()["tags"]}
    return [Subject(name, helps[name], tuple(operations)) for name, operations in sorted(by_tag.items())]


def shapes() -> list[Shape]:
    """Every object that is sent or answered, by name; pages of lists apart, which are all alike."""
    components = schema()["components"]["schemas"].items()
    objects = [(name, shape) for name, shape in components if not name.startswith("Paginated")]
    return [Shape(name, _help(each), tuple(_fields(each))) for name, each in sorted(objects)]


def _operation(method: str, path: str, operation: Schema, host: str) -> Operation:
    summary, _, more = operation["description"].partition("\n\n")
    content = operation.get("requestBody", {}).get("content", {})
    bodies = tuple((name, tuple(_fields(_resolved(each["schema"])))) for name, each in content.items())
    answers = operation["responses"].items()
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=summary,
        more=more,
        parameters=tuple(_parameter(each) for each in operation.get("parameters", [])),
        bodies=bodies,
        answers=tuple(_answer(status, each) for status, each in answers if status < "400"),
        errors=tuple(status for status, _ in answers if status >= "400"),
        example=_example(method, host + path, dict(bodies)),
    )


def _parameter(parameter: Schema) -> Field:
    is_required, kind = parameter.get("required", False), _kind(parameter["schema"])
    return Field(parameter["name"], kind, is_required, _help(parameter), parameter["in"])


def _answer(status: str, answer: Schema) -> Answer:
    kinds = tuple((name, _kind(each["schema"])) for name, each in answer.get("content", {}).items())
    return Answer(status, _help(answer), kinds)


def _fields(shape: Schema) -> Iterator[Field]:
    required = set(shape.get("required", []))
    for name, each in shape.get("properties", {}).items():
        yield Field(name, _kind(each), name in required, _help(each))


def _help(each: Schema) -> str:
    """Its description, with the choices that end it, a Markdown list of `name` - meaning, as a sentence."""
    text, *choices = re.split(r"\s*\* (?=`)", each.get("description", ""))
    return f"{text} {'; '.join(choice.replace('` - ', '`: ', 1) for choice in choices)}".strip()


def _resolved(shape: Schema) -> Schema:
    name = _component(shape)
    resolved: Schema = schema()["components"]["schemas"][name] if name else shape
    return resolved


def _component(shape: Schema) -> str:
    references = [shape, *shape.get("allOf", []), *shape.get("oneOf", [])]
    return next((each["$ref"].rpartition("/")[2] for each in references if "$ref" in each), "")


def _kind(shape: Schema) -> Kind:
    null = " or null" if shape.get("nullable") else ""
    if shape.get("type") == "array":
        inner = _kind(shape["items"])
        return Kind(f"list of {inner.words}{null}", inner.component)
    component = _component(shape)
    if component.startswith("Paginated"):
        results = _resolved(shape)["properties"]["results"]
        return Kind(f"page of {_kind(results['items']).words}", _component(results["items"]))
    if component:
        return Kind(component + null, component)
    choices = [str(each) for each in shape.get("enum", []) if each not in ("", None)]
    if choices:
        return Kind(", ".join(choices) + null)
    return Kind((FORMATS.get(shape.get("format", "")) or shape.get("type", "any")) + null)


def _example(method: str, address: str, bodies: Mapping[str, tuple[Field, ...]]) -> str:
    """As it is typed, with the token in a variable."""
    parts = ['curl -H "Authorization: Bearer $TOKEN"', *([] if method == "get" else [f"-X {method.upper()}"])]
    if JSON in bodies:
        body = {field.name: _sample(field.kind) for field in bodies[JSON] if field.is_required}
        parts += [f'-H "Content-Type: {JSON}"', f"-d '{json.dumps(body, ensure_ascii=False)}'"]
    elif FORM in bodies:
        fields = [field for field in bodies[FORM] if field.is_required]
        parts += [f"-F {field.name}={'@my.file' if field.kind.words == 'file' else '…'}" for field in fields]
    return " ".join([*parts, f'"{address}"'])


def _sample(kind: Kind) -> object:
    shape = schema()["components"]["schemas"].get(kind.component, {})
    if "enum" in shape:
        return shape["enum"][0]
    return [] if kind.words.startswith("list") else SAMPLES.get(kind.words, "…")
